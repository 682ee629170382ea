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
  /** Maximum duration of one chat, in milliseconds. Default: two minutes. */
  readonly runMs?: number;
}

export interface Keyed {
  /** `key`: the name of the key that authenticated the request. */
  readonly Variables: { readonly key: string };
}
export type HostContext = Context<Keyed>;
