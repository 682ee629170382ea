import Type from "typebox";
import { LIMITS } from "../contract/limits.ts";
import { CHANGED_RULE_TIMES, RuleWords } from "../contract/rule.ts";
import { PROFILES } from "../contract/settings.ts";
import { call, closed, Id } from "./call-shape.ts";
import type { FileDelivery } from "./views.ts";

/**
 * What a call would meet now. `unrecorded`: nothing can be stored; `policy`: an administrator's
 * denies it; `permission`: the agent does not have it; `outside`: its tool refuses it, in none of the agent's
 * folders or where no agent may go; `address`: no agent may open it; `quiet`: it is allowed for a time in
 * one conversation; `folder`, `host`: the person would have to give that first.
 */
export interface RuleTest {
  readonly outcome: "allow" | "ask" | "deny";
  readonly why:
    | "paused"
    | "unrecorded"
    | "suspended"
    | "keys_in_doubt"
    | "policy"
    | "permission"
    | "unavailable"
    | "outside"
    | "address"
    | "rule"
    | "low"
    | "quiet"
    | "profile"
    | "nothing"
    | "folder"
    | "host";
  /** The rule that decides; null: none does. */
  readonly rule_id: string | null;
}

/** The calls about rules: a part of `CALLS`. */
export const RULE_CALLS = {
  /**
   * A rule by hand. A bare program name is looked for where commands are; `replaces`: the rule that was edited,
   * whose end stays with `unchanged`.
   * @throws `not_found`, `rule_unusable`, `rule_too_wide`, `rule_too_long`, `program_missing`
   */
  "rules.add": call<null>()(
    Type.Object(
      {
        agent_id: Id,
        ...RuleWords.properties,
        time: Type.Enum(CHANGED_RULE_TIMES),
        replaces: Type.Optional(Id),
      },
      closed,
    ),
  ),
  "rules.remove": call<null>()(Type.Object({ agent_id: Id, rule_id: Id }, closed)),
  /**
   * Whether a call would be asked about. `about`: its path, address or command, one argument a line.
   * @throws `not_found`, `rule_unusable`
   */
  "rules.test": call<RuleTest>()(
    Type.Object(
      {
        agent_id: Id,
        tool_name: Type.String({ minLength: 1, maxLength: 64 }),
        about: Type.String({ maxLength: 8_192 }),
      },
      closed,
    ),
  ),
  /** One agent's rules as a file. `left_out`: those for a task and those that answer high ones. */
  "rules.export": call<FileDelivery & { readonly saved: number; readonly left_out: number }>()(
    Type.Object({ agent_id: Id }, closed),
  ),
  /**
   * Rules from such a file. `kept`: the agent has the same; `left_out`: it cannot have these, or has stricter
   * ones. @throws `file_unusable`
   */
  "rules.import": call<{
    readonly added: number;
    readonly kept: number;
    readonly left_out: number;
  }>()(
    Type.Object({ agent_id: Id, text: Type.String({ maxLength: LIMITS.ruleFileBytes }) }, closed),
  ),
  /** How much is asked (contract §3). */
  "profile.set": call<null>()(Type.Object({ profile: Type.Enum(PROFILES) }, closed)),
} as const;
