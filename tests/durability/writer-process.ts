import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as after } from "node:timers/promises";
import type { BundledProgram } from "./bundle-program.ts";
import type { Acknowledged, Checked, Stage, WriterLine, WriterOrder } from "./writer-lines.ts";

/** When a writer is killed. */
export interface KillMoment {
  readonly stage: Stage;
  /** Number of acknowledgements that must have arrived since it entered the stage. */
  readonly records: number;
  /** Milliseconds after both; 0: immediately. */
  readonly delayMs: number;
}

/** What a writer reported before it ended. */
export interface WriterEnd {
  /** The last stage it reported. */
  readonly stage: Stage;
  readonly killed: boolean;
  readonly acknowledged: readonly Acknowledged[];
  /** Null: it did not get that far. */
  readonly checked: Checked | null;
  /** Null if all is well. */
  readonly fault: string | null;
}

/**
 * Starts a writer and kills it with SIGKILL at the given moment, unless it ends first.
 * @param moment null: it is not killed
 */
export async function runWriter(
  { file, environment }: BundledProgram,
  order: WriterOrder,
  moment: KillMoment | null,
): Promise<WriterEnd> {
  const child = spawn(process.execPath, [file, JSON.stringify(order)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment },
  });
  const ended = once(child, "close");
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const heard: WriterLine[] = [];
  let stage: Stage = "starting";
  let records = 0;
  const strike = (): void => {
    if (moment?.stage !== stage || moment.records !== records) return;
    if (moment.delayMs === 0) child.kill("SIGKILL");
    else void after(moment.delayMs).then(() => child.kill("SIGKILL"));
  };
  child.once("spawn", strike);
  createInterface(child.stdout).on("line", (text) => {
    // A line may be cut off by the kill; it then counts as never written.
    const line = readLine(text);
    if (line === null) return;
    heard.push(line);
    if (line.type === "stage") [stage, records] = [line.stage, 0];
    else if (line.type === "acknowledged") records += 1;
    else return;
    strike();
  });
  const [code, signal] = await ended;
  const end = summed(heard, signal === "SIGKILL");
  if (end.fault !== null || end.killed || code === 0) return end;
  return { ...end, fault: `the writer ended with ${code ?? signal}: ${errors.slice(-1_500)}` };
}

function readLine(text: string): WriterLine | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function summed(heard: readonly WriterLine[], killed: boolean): WriterEnd {
  let stage: Stage = "starting";
  let checked: Checked | null = null;
  let fault: string | null = null;
  const acknowledged: Acknowledged[] = [];
  for (const line of heard) {
    if (line.type === "stage") stage = line.stage;
    else if (line.type === "checked") checked = line.checked;
    else if (line.type === "fault") fault = line.fault;
    else acknowledged.push(line.record);
  }
  return { stage, killed, acknowledged, checked, fault };
}
