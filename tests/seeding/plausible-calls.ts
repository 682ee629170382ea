import type { IntentRecord, OutcomeRecord } from "../../app/audit/audit-record.ts";
import { CATALOGUE } from "../../app/contract/catalogue.ts";
import { platformError, type Refusal } from "../../app/contract/codes.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import type { DecidedBy } from "../../app/contract/tool-call.ts";
import type { RandomNumbers } from "./random-numbers.ts";

/** A call as the log contains it: with an intent if it ran. */
export interface SeededCall {
  readonly intent: IntentRecord | null;
  readonly outcome: OutcomeRecord;
  readonly args: JsonObject;
}

const AGENTS = 12;
const CONVERSATIONS = 3;
/** Number of arguments that recur, as when a file is read every hour. */
const USUAL_DIGESTS = 400;
const FILES = 20_000;

const TOOLS = [
  ["read_file", 30],
  ["list_directory", 15],
  ["search_files", 10],
  ["get_file_info", 8],
  ["fetch_url", 12],
  ["write_file", 6],
  ["edit_file", 6],
  ["send_notification", 5],
  ["read_clipboard", 3],
  ["run_command", 2],
  ["create_directory", 1],
  ["delete_file", 1],
] as const;

type End = Pick<OutcomeRecord, "status" | "reason" | "error_code" | "decided_by"> & {
  readonly ran: boolean;
};

const asEnd = (refusal: Refusal, decided_by: DecidedBy, ran: boolean): End => ({
  status: refusal.status,
  reason: refusal.reason,
  error_code: refusal.status === "error" ? refusal.error_code : null,
  decided_by,
  ran,
});
const refused = { status: "denied", reason: "user_refused" } as const;

/** Makes up calls like those of months of use: mostly successful, some refused, few interrupted. */
export class PlausibleCalls {
  readonly #random: RandomNumbers;
  readonly #usual: readonly string[];

  constructor(random: RandomNumbers) {
    this.#random = random;
    this.#usual = Array.from({ length: USUAL_DIGESTS }, () => random.hex(64));
  }

  /** @param at milliseconds since the epoch */
  next(at: number): SeededCall {
    const random = this.#random;
    const { tool_name, scope } = this.#tool();
    const { ran, ...end } = this.#end(tool_name, scope);
    // Some agents are busier than others.
    const agent = Math.floor(random.unit() ** 2 * AGENTS);
    const about = {
      call_id: this.#callId(),
      agent_id: `agt_seed${String(agent).padStart(2, "0")}`,
      tool_name,
      scope,
      arguments_digest: this.#digest(),
      conversation_id: `conv_seed${agent}_${random.below(CONVERSATIONS)}`,
      transport: "hub",
      decided_by: end.decided_by,
    };
    const duration_ms = 1 + Math.floor(random.unit() ** 4 * 2_000);
    const outcome = { ...about, ...end, kind: "outcome" as const, timestamp: at, duration_ms };
    const intent = ran ? { ...about, kind: "intent" as const, timestamp: at } : null;
    return { intent, outcome, args: this.#args(tool_name) };
  }

  /** One in a hundred is a name that no client knows. */
  #tool(): { readonly tool_name: string; readonly scope: string } {
    const random = this.#random;
    if (random.below(100) === 0) {
      return { tool_name: `made_up_${random.below(1_000)}`, scope: "made:up" };
    }
    const tool_name = random.weighted(TOOLS);
    return { tool_name, scope: CATALOGUE.get(tool_name)?.scope ?? "" };
  }

  #end(toolName: string, scope: string): End {
    const random = this.#random;
    const least = CATALOGUE.get(toolName)?.leastSensitivity;
    if (least === undefined) {
      return asEnd({ status: "denied", reason: "tool_not_declared" }, "contract", false);
    }
    const allowedBy: DecidedBy =
      least === "low"
        ? "silent_low"
        : least === "high" || random.below(8) === 0
          ? "person"
          : "window";
    const ok: End = {
      status: "ok",
      reason: null,
      error_code: null,
      decided_by: allowedBy,
      ran: true,
    };
    return random.weighted<End>([
      [ok, 8_400],
      [asEnd(platformError("not_found"), allowedBy, true), 400],
      [asEnd(platformError("tool_timeout"), allowedBy, true), 100],
      [asEnd(platformError("interrupted"), allowedBy, true), 5],
      [asEnd(refused, "person", false), 500],
      [asEnd(refused, "standing_rule", false), scope === "shell:exec" ? 900 : 50],
      [asEnd({ status: "denied", reason: "scope_not_granted" }, "contract", false), 300],
    ]);
  }

  /** Of a few projects with many files, of which some are used all the time. */
  #args(toolName: string): JsonObject {
    const random = this.#random;
    const file = Math.floor(random.unit() ** 3 * FILES);
    const folder = `/home/ada/project-${random.below(8)}/src/part-${file % 40}`;
    switch (toolName) {
      case "fetch_url":
        return { url: `https://host-${file % 500}.example/page` };
      case "run_command":
        return { argv: ["git", "status"], directory: folder };
      case "list_directory":
      case "search_files":
        return { path: folder };
      default:
        return { path: `${folder}/file-${file}.ts` };
    }
  }

  #callId(): string {
    const random = this.#random;
    return [8, 4, 4, 4, 12].map((digits) => random.hex(digits)).join("-");
  }

  #digest(): string {
    const random = this.#random;
    const usual = random.below(4) === 0 ? this.#usual[random.below(USUAL_DIGESTS)] : undefined;
    return usual ?? random.hex(64);
  }
}
