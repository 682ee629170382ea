import { tmpdir } from "node:os";
import { thisMachine } from "../machine.ts";
import { SandboxProbe } from "../sandbox-probe.ts";

const probe = new SandboxProbe(thisMachine(), tmpdir());

/** The sandbox that works here. */
export const sandbox = (await probe.best())?.kind ?? null;

/** Every way in which commands run here. */
export const WAYS = [
  { way: "without a sandbox", options: { probe: null }, kind: null },
  ...(sandbox === null ? [] : [{ way: `in ${sandbox}`, options: { probe }, kind: sandbox }]),
];
