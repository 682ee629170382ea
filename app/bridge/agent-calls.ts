import Type from "typebox";
import { CallSubject } from "../contract/call-subject.ts";
import { MODEL_PROVIDERS } from "../contract/connected-model.ts";
import type { RaisedBy } from "../contract/consent-request.ts";
import { HOOK_WAYS } from "../contract/hook-way.ts";
import { LIMITS } from "../contract/limits.ts";
import { CHANGED_RULE_TIMES, RuleWords } from "../contract/rule.ts";
import { PROFILES } from "../contract/settings.ts";
import { type NewRegistration, PETNAME_MAX, type RegisteredAgentView } from "./agent-views.ts";
import { call, closed, type FileDelivery, Id } from "./call-shape.ts";
import { ManifestText } from "./conversation-calls.ts";
import type { AgentDifferences } from "./manifest-views.ts";

/** From the card that was shown: an answer to an older one is refused (`manifest_changed`). */
const DrawnVersion = Type.Integer({ minimum: 1 });

const Host = Type.String({ minLength: 1, maxLength: 255 });

const Port = Type.Integer({ minimum: 1, maximum: 65_535 });

const SafetyDigits = Type.String({ pattern: "^\\d{5}( \\d{5}){11}$" });

const Path = Type.String({ minLength: 1, maxLength: 4096 });

/** The calls about agents, their permissions and keys: a part of `CALLS`. */
export const AGENT_CALLS = {
  /** @throws `not_found`, `not_offered`, `hub_unreachable` */
  "pairing.answer": call<null>()(
    Type.Object(
      {
        pairing_id: Id,
        accept: Type.Boolean(),
        granted_scopes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 1000 }),
        /** Of an agent with hooks that is connected by this. */
        hook_way: Type.Optional(Type.Enum(HOOK_WAYS)),
        /** As the agent that its pairing names in `same_as`. */
        merge: Type.Optional(Type.Boolean()),
      },
      closed,
    ),
  ),
  /** How an agent with hooks is connected. @throws `not_found` */
  "agents.set_hook_way": call<null>()(
    Type.Object({ agent_id: Id, way: Type.Enum(HOOK_WAYS) }, closed),
  ),
  /**
   * Sets what is granted: names left out are revoked. Also answers a wanted re-consent.
   * @throws `not_found`, `manifest_changed`, `not_offered`
   */
  "agents.set_scopes": call<null>()(
    Type.Object(
      {
        agent_id: Id,
        manifest_version: DrawnVersion,
        granted_scopes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 1000 }),
      },
      closed,
    ),
  ),
  /** @throws `not_found`, `manifest_changed` */
  "agents.mark_reviewed": call<null>()(
    Type.Object({ agent_id: Id, manifest_version: DrawnVersion }, closed),
  ),
  /** While paused every call of every agent is refused (contract §3). */
  "agents.pause": call<null>()(Type.Object({ paused: Type.Boolean() }, closed)),
  /** @throws `not_found` */
  "permissions.revoke_scope": call<null>()(
    Type.Object({ agent_id: Id, scope: Type.String({ maxLength: 128 }) }, closed),
  ),
  "permissions.revoke_agent": call<null>()(Type.Object({ agent_id: Id }, closed)),
  "permissions.revoke_all": call<null>()(Type.Object({}, closed)),
  "permissions.end_quiet_period": call<null>()(
    Type.Object(
      {
        agent_id: Id,
        conversation_id: Id,
        scope: Type.String({ maxLength: 128 }),
        subject: CallSubject,
      },
      closed,
    ),
  ),
  /** A folder that is given again gets this access. @throws `root_path_unusable`, `root_missing`, `root_not_folder`, `root_refused` */
  "permissions.add_root": call<null>()(
    Type.Object({ agent_id: Id, path: Path, access: Type.Enum(["read", "read_write"]) }, closed),
  ),
  /** No notice any more when the agent tries this folder or one in it. */
  "permissions.ignore_folder": call<null>()(Type.Object({ agent_id: Id, path: Path }, closed)),
  /** @throws `not_found` */
  "permissions.remove_root": call<null>()(Type.Object({ agent_id: Id, root_id: Id }, closed)),
  /** As the person typed it: without a port, those of http and https. @throws `not_found`, `host_unusable` */
  "permissions.add_host": call<null>()(Type.Object({ agent_id: Id, host: Host }, closed)),
  "permissions.remove_host": call<null>()(
    Type.Object({ agent_id: Id, host: Host, port: Port }, closed),
  ),
  /** The person accepts the agent's changed key: the safety number that was shown. @throws `key_changed` */
  "keys.accept": call<null>()(Type.Object({ agent_id: Id, digits: SafetyDigits }, closed)),
  /** The person has compared the number that was shown, or not. @throws `not_found`, `key_changed` */
  "keys.verify": call<null>()(
    Type.Object({ agent_id: Id, digits: SafetyDigits, verified: Type.Boolean() }, closed),
  ),
  /** Null: use the agent's own name again. @throws `not_found`, `nothing_visible` */
  "agents.rename": call<null>()(
    Type.Object(
      {
        agent_id: Id,
        petname: Type.Union([Type.String({ minLength: 1, maxLength: PETNAME_MAX }), Type.Null()]),
      },
      closed,
    ),
  ),
  /**
   * While suspended every call of the agent is refused, and neither it nor the person can write to the
   * other. @throws `not_found`; `hub_unreachable`: it stays suspended
   */
  "agents.suspend": call<null>()(Type.Object({ agent_id: Id, suspended: Type.Boolean() }, closed)),
  /**
   * Ends the relation at the hub and deletes everything given to the agent; the log stays. Its history
   * is deleted too, unless `keep_history`: then it can still be read.
   * @throws `not_found`; `hub_unreachable`: its permissions are revoked nevertheless
   */
  "agents.remove": call<null>()(
    Type.Object({ agent_id: Id, keep_history: Type.Optional(Type.Boolean()) }, closed),
  ),
  /**
   * Registers an agent of the person's own at the hub. It is not added yet.
   * @throws `nothing_visible`, `manifest_refused`, `overloaded`, `hub_unreachable`
   */
  "agents.register": call<NewRegistration>()(
    Type.Object(
      { name: Type.String({ minLength: 1, maxLength: PETNAME_MAX }), text: ManifestText },
      closed,
    ),
  ),
  /**
   * An agent that is registered at the hub, by its id or link; nothing is stored or sent.
   * @throws `link_unusable`, `agent_unknown`, `already_added`, `manifest_unusable`, `hub_unreachable`
   */
  "agents.find": call<RegisteredAgentView>()(
    Type.Object({ text: Type.String({ maxLength: 1_024 }) }, closed),
  ),
  /**
   * Adds what `agents.find` showed, with these scopes.
   * @throws `manifest_changed`: it is no longer what was shown; `not_offered`; and as `agents.find`
   */
  "agents.add": call<null>()(
    Type.Object(
      {
        agent_id: Id,
        manifest_version: Type.Integer({ minimum: 1 }),
        manifest_digest: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        granted_scopes: Type.Array(Type.String({ maxLength: 128 }), { maxItems: 1000 }),
      },
      closed,
    ),
  ),
  /** What changed since the person reviewed it. @throws `not_found` */
  "agents.differences": call<AgentDifferences>()(Type.Object({ agent_id: Id }, closed)),
  /** The person has seen the missed requests. */
  "missed.dismiss": call<null>()(Type.Object({}, closed)),
  "turned_away.seen": call<null>()(Type.Object({}, closed)),
} as const;

const Nothing = Type.Object({}, closed);

/** The calls about the connected model: a part of `CALLS`. */
export const MODEL_CALLS = {
  /**
   * Keeps the choice and starts the agent with it. Without `api_key` the one kept stays, as long as it
   * goes to the same place. @throws `key_needed`, `base_url_unusable`
   */
  "model.connect": call<null>()(
    Type.Object(
      {
        provider: Type.Enum([...MODEL_PROVIDERS]),
        model: Type.String({ maxLength: 256 }),
        base_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2_048 })),
        api_key: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
      },
      closed,
    ),
  ),
  /** @throws `not_found`, `already_running` */
  "model.start": call<null>()(Nothing),
  "model.stop": call<null>()(Nothing),
  /** Stops it and deletes its key and the choice; the agent stays, as any other. */
  "model.remove": call<null>()(Nothing),
} as const;

/**
 * What a call would meet now. `unrecorded`: nothing can be stored; `policy`: an administrator's
 * denies it; `permission`: the agent does not have it; `outside`: its tool refuses it, in none of the agent's
 * folders or where no agent may go; `address`: no agent may open it; `quiet`: it is allowed for a time in
 * one conversation; `raised`: no rule covers such a call; `unconfined`: no
 * sandbox here keeps the command from the network; `project`: the rule counts where the agent has another folder open; `folder`, `host`: the person would have to give that first.
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
    | "raised"
    | "unconfined"
    | "project"
    | "nothing"
    | "folder"
    | "host";
  /** The rule that decides; null: none does. */
  readonly rule_id: string | null;
  /** Why it is asked about each time, where that is `raised`. */
  readonly raised?: readonly RaisedBy[];
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
   * Rules from such a file. `kept`: the agent has the same; `left_out`: it cannot have these; `weakening`: each
   * would let through what the rules that `stands` names stop, so it was not added. @throws `file_unusable`
   */
  "rules.import": call<{
    readonly added: number;
    readonly kept: number;
    readonly left_out: number;
    readonly weakening: readonly (RuleWords & { readonly stands: readonly string[] })[];
  }>()(
    Type.Object({ agent_id: Id, text: Type.String({ maxLength: LIMITS.ruleFileBytes }) }, closed),
  ),
  /** How much is asked (contract §3). */
  "profile.set": call<null>()(Type.Object({ profile: Type.Enum(PROFILES) }, closed)),
} as const;
