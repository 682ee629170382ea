/** An event whose default can be prevented, as Electron hands them out. */
export interface Preventable {
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable<Extra extends object>(extra?: Extra): Preventable & Extra {
  let prevented = false;
  const event = {
    get defaultPrevented() {
      return prevented;
    },
    preventDefault() {
      prevented = true;
    },
  };
  return Object.assign(event, extra);
}
