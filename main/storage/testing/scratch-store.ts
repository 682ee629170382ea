import { randomBytes } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { IntentRecord, OutcomeRecord } from "../../../app/audit/audit-record.ts";
import { canonicalJson, digestOf, sha256Hex } from "../../../app/contract/digest.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { ToolCall, ToolResponse } from "../../../app/contract/tool-call.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { ScratchFolder } from "../../testing/scratch-folder.ts";
import { openStore } from "../open-store.ts";
import type { OpenedStore, StoreOptions } from "../store.ts";

export const NOW = Date.UTC(2026, 0, 1);

/** A store in a folder of its own, on clocks that stand still until they are moved. */
export class ScratchStore extends ScratchFolder {
  wall = NOW;
  monotonic = 0;
  readonly #opened: OpenedStore[] = [];

  override renew(): void {
    super.renew();
    this.wall = NOW;
    this.monotonic = 0;
  }

  get dataDir(): string {
    return join(this.base, "data");
  }

  get file(): string {
    return join(this.dataDir, "consentry.db");
  }

  open(more: Partial<StoreOptions> = {}): OpenedStore {
    const opened = openStore({
      dataDir: this.dataDir,
      wallClock: { now: () => this.wall },
      monotonic: { now: () => this.monotonic },
      random: (bytes) => randomBytes(bytes),
      ...more,
    });
    this.#opened.push(opened);
    return opened;
  }

  /** Changes the file behind the store's back. */
  sql(text: string): void {
    const db = new Database(this.file);
    db.exec(text);
    db.close();
  }

  /** With the stores that are still open. */
  override remove(): void {
    for (const { store } of this.#opened.splice(0)) store.close();
    super.remove();
  }

  /** Lets time pass on both clocks. */
  pass(ms: number): void {
    this.wall += ms;
    this.monotonic += ms;
  }
}

export function call(call_id: string, args: JsonObject = { path: "/a" }): ToolCall {
  const canonical_arguments = canonicalJson(args);
  return {
    call_id,
    tool_name: "read_file",
    arguments: args,
    canonical_arguments,
    arguments_digest: sha256Hex(canonical_arguments),
    permission_scope: "filesystem:read",
  };
}

const about = (of: ToolCall, timestamp: number) => ({
  call_id: of.call_id,
  agent_id: "agent-1",
  tool_name: of.tool_name,
  scope: of.permission_scope,
  arguments_digest: of.arguments_digest,
  conversation_id: "conversation-1",
  transport: "hub",
  decided_by: "person" as const,
  timestamp,
});

export const intent = (of: ToolCall, timestamp = NOW): IntentRecord => ({
  ...about(of, timestamp),
  kind: "intent",
});

export const outcome = (
  of: ToolCall,
  timestamp = NOW,
  end: Pick<OutcomeRecord, "status" | "reason" | "error_code"> = OK,
): OutcomeRecord => ({ ...about(of, timestamp), ...end, kind: "outcome", duration_ms: 3 });

const OK = { status: "ok", reason: null, error_code: null } as const;

export const okResponse = (of: ToolCall, result: JsonValue): ToolResponse => ({
  call_id: of.call_id,
  status: "ok",
  result,
});

export const manifest = (agent_version = "1.0.0"): Manifest => ({
  schema_version: "1.0",
  agent_version,
  tools: [
    {
      name: "read_file",
      description_i18n_key: "tool.read_file",
      input_schema: { type: "object", additionalProperties: false, properties: {} },
      permission_scope: "filesystem:read",
    },
  ],
  permission_scopes: [
    { id: "filesystem:read", label_i18n_key: "scope.read", sensitivity: "medium" },
  ],
});

export const hashOf = (of: Manifest): string => digestOf(of as unknown as JsonValue);

export function agent(agent_id = "agent-1"): KnownAgent {
  const known = manifest();
  return {
    agent_id,
    name: "Sample",
    channel: "hub",
    relation: { relation_id: "relation-1", conversation_id: "conversation-1" },
    manifest: known,
    manifest_version: 1,
    manifest_hash: hashOf(known),
    reviewed_hash: hashOf(known),
    reviewed_manifest: known,
    grants: new Map([
      ["filesystem:read", { scope: "filesystem:read", state: "granted", changed_at: NOW }],
    ]),
    roots: [{ root_id: "root-1", path: "/home/me/a", access: "read", added_at: NOW }],
    hosts: [{ host: "192.168.1.5", port: 8080, added_at: NOW }],
    added_at: NOW,
  };
}

/** A call that ran and was answered with this. */
export async function answer(
  store: OpenedStore["store"],
  id: string,
  result: string,
  at = NOW,
): Promise<void> {
  const made = call(id);
  await store.ledger.recordIntent(intent(made, at));
  await store.ledger.recordOutcome(outcome(made, at), {
    call: made,
    response: okResponse(made, result),
  });
}
