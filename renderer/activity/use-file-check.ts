import { useRef, useState } from "react";
import type { BridgeErrorCode, ClientBridge } from "../../app/bridge/client-bridge.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost } from "../host-context.tsx";
import { countMatching } from "./count-matching.ts";
import { writtenArguments } from "./written-arguments.ts";

/** Calls that wrote exactly what a file contains, in one form of their arguments. */
interface Written {
  readonly digest: string;
  readonly count: number;
}

export interface FileFound {
  readonly path: string;
  /** How many calls named the path. */
  readonly named: number;
  /** Null: no file was chosen. */
  readonly written: readonly Written[] | "too_large" | null;
}

export type FileCheck =
  | { readonly kind: "idle" | "checking" }
  | { readonly kind: "failed"; readonly code: BridgeErrorCode }
  | { readonly kind: "found"; readonly found: FileFound };

export function useFileCheck() {
  const { bridge } = useHost();
  const [state, setState] = useState<FileCheck>({ kind: "idle" });
  const asked = useRef(0);
  const ask = (kind: "idle" | "checking"): ((next: FileCheck) => void) => {
    asked.current += 1;
    const mine = asked.current;
    setState({ kind });
    return (next) => {
      if (asked.current === mine) setState(next);
    };
  };
  const check = async (path: string, file: File | null): Promise<void> => {
    const answer = ask("checking");
    try {
      const { total } = await countMatching(bridge, { about: path });
      const written = file === null ? null : await writtenBy(bridge, path, file);
      answer({ kind: "found", found: { path, named: total, written } });
    } catch (error) {
      answer({ kind: "failed", code: errorCode(error) });
    }
  };
  return { state, check, forget: () => void ask("idle") };
}

async function writtenBy(bridge: ClientBridge, path: string, file: File) {
  if (file.size > LIMITS.callBytes) return "too_large" as const;
  const forms = writtenArguments(path, new Uint8Array(await file.arrayBuffer()));
  const counted = forms.map(async (form): Promise<Written | null> => {
    const pasted = await bridge.call("activity.digest", { text: JSON.stringify(form) });
    if ("problem" in pasted) return null;
    const { digest } = pasted;
    const { total } = await countMatching(bridge, { arguments_digest: digest });
    return { digest, count: total };
  });
  const all = await Promise.all(counted);
  return all.filter((each): each is Written => each !== null && each.count > 0);
}
