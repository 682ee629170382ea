import { guardOf } from "../../app/contract/checked.ts";
import { ModelOrder, type ModelReport } from "../../app/contract/connected-model.ts";

/** The line to the program that started this process; nobody else can read it. */
export interface ParentLine {
  /** The first that was told; what is none is left aside. */
  readonly order: Promise<ModelOrder>;
  report(report: ModelReport): void;
}

/** Of Electron's utility processes, where it takes the place of Node's own channel. */
interface ParentPort {
  on(event: "message", listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const isOrder = guardOf(ModelOrder);

/** This process ends with the one that started it. */
export function parentLine(): ParentLine {
  const { promise, resolve } = Promise.withResolvers<ModelOrder>();
  const hear = (message: unknown): void => {
    if (isOrder(message)) resolve(message);
  };
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) {
    parentPort.on("message", ({ data }) => hear(data));
    return { order: promise, report: (report) => parentPort.postMessage(report) };
  }
  process.on("message", hear);
  process.once("disconnect", () => process.exit(0));
  return { order: promise, report: (report) => void process.send?.(report) };
}
