import { guardOf } from "../../app/contract/checked.ts";
import { ModelNotice, ModelOrder, type ModelReport } from "../../app/contract/connected-model.ts";

/** The line to the program that started this process; nobody else can read it. */
export interface ParentLine {
  /** The first that was told; what is none is left aside. */
  readonly order: Promise<ModelOrder>;
  /** Aborts when that program stops this process, or is gone. */
  readonly ended: AbortSignal;
  /** Hears what it is told from now on. */
  listen(heard: (notice: ModelNotice) => void): void;
  report(report: ModelReport): void;
}

/** Of Electron's utility processes, where it takes the place of Node's own channel. */
interface ParentPort {
  on(event: "message", listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const isOrder = guardOf(ModelOrder);
const isNotice = guardOf(ModelNotice);

export function parentLine(): ParentLine {
  const { promise: order, resolve, reject } = Promise.withResolvers<ModelOrder>();
  const end = new AbortController();
  const ended = end.signal;
  const stop = (): void => {
    end.abort();
    reject(ended.reason);
  };
  process.once("SIGTERM", stop);
  let noticed: (notice: ModelNotice) => void = () => {};
  const hear = (message: unknown): void => {
    if (isOrder(message)) resolve(message);
    else if (isNotice(message)) noticed(message);
  };
  const listen: ParentLine["listen"] = (heard) => {
    noticed = heard;
  };
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) {
    parentPort.on("message", ({ data }) => hear(data));
    return { order, ended, listen, report: (report) => parentPort.postMessage(report) };
  }
  process.on("message", hear);
  process.once("disconnect", stop);
  return { order, ended, listen, report: (report) => void process.send?.(report) };
}
