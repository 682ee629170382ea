/** The little of D-Bus that is used here; `open-bus.ts` makes it of a real one. */
export interface MessageBus {
  /** @throws BusError */
  call(request: BusCall): Promise<BusReply>;
  /**
   * Hears a member's signals from now on. They may come from anybody: look at `sender`.
   * @throws BusError
   */
  hear(signal: SignalName, listener: (heard: BusReply) => void): Promise<void>;
}

export interface SignalName {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

export interface BusCall extends SignalName {
  readonly destination: string;
  /** D-Bus signature of `body`; empty where there is none. */
  readonly signature: string;
  readonly body: readonly BusValue[];
}

export type BusValue = string | number | Variant;

/** A value that carries its own signature. */
export interface Variant {
  readonly signature: string;
  readonly value: unknown;
}

export interface BusReply {
  /** The unique name of who really sent it: the bus itself fills it in. */
  readonly sender: string;
  /** Foreign data. */
  readonly body: readonly unknown[];
}

/** A call that was answered with an error, or could not be made. Only its name is kept. */
export class BusError extends Error {
  override readonly name = "BusError";
  /** Null when the bus could not be reached or went away. */
  readonly errorName: string | null;
  constructor(errorName: string | null) {
    super(errorName ?? "no bus");
    this.errorName = errorName;
  }
}
