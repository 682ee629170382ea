interface ParentPort {
  postMessage(message: unknown): void;
}

/** To the program that started this one, so that its page can show the code; a shell hears nothing. */
export function tellParent(message: object): void {
  // Electron's line to a program it started; Node's own is `process.send`.
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) parentPort.postMessage(message);
  // A parent that has gone is none to tell.
  else process.send?.(message, () => {});
}
