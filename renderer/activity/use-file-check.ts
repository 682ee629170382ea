import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { useAsked } from "../parts/use-asked.ts";
import { type Checked, countDigest } from "./count-digest.ts";
import { countMatching } from "./count-matching.ts";
import { writtenArguments } from "./written-arguments.ts";

/** Calls that wrote exactly what a file contains, in one form of their arguments. */
type Written = Exclude<Checked, { problem: unknown }>;

export interface FileFound {
  readonly path: string;
  /** How many calls named the path. */
  readonly named: number;
  /** Null: no file was chosen. */
  readonly written: readonly Written[] | "too_large" | null;
}

export function useFileCheck() {
  const { state, ask, forget } = useAsked<FileFound>();
  const check = (path: string, file: File | null): Promise<void> =>
    ask(async (bridge) => {
      const { total } = await countMatching(bridge, { about: path });
      const written = file === null ? null : await writtenBy(bridge, path, file);
      return { path, named: total, written };
    });
  return { state, check, forget };
}

async function writtenBy(bridge: ClientBridge, path: string, file: File) {
  if (file.size > LIMITS.callBytes) return "too_large" as const;
  const forms = writtenArguments(path, new Uint8Array(await file.arrayBuffer()));
  const counted = forms.map((form) => countDigest(bridge, JSON.stringify(form)));
  const all = await Promise.all(counted);
  return all.flatMap((each) => ("problem" in each || each.count === 0 ? [] : [each]));
}
