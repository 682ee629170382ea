import type { Context } from "hono";
import type { KeyStore } from "../keys/key-file.ts";
import type { FindModel } from "../providers.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";
import type { HostTool } from "../tools/host-tool.ts";

export interface HostParts {
  readonly findModel: FindModel;
  readonly tools: ReadonlyMap<string, HostTool>;
  readonly keys: Pick<KeyStore, "nameOf">;
  readonly sandboxes: Sandboxes;
  readonly requestsPerMinute: number;
  /** Milliseconds that one chat may take; two minutes without it. */
  readonly runMs?: number;
  /** Times a model is asked again that was busy or failed; twice without it. */
  readonly retries?: number;
}

export interface Keyed {
  /** `key`: the name of the key that the request came with. */
  readonly Variables: { readonly key: string };
}
export type HostContext = Context<Keyed>;
