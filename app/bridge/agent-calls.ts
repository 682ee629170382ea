import Type from "typebox";
import { type AgentDifferences, PETNAME_MAX } from "./agent-views.ts";
import { call, closed, Id } from "./call-shape.ts";
import { ManifestText } from "./conversation-calls.ts";
import type { NewRegistration, RegisteredAgentView } from "./views.ts";

/** The calls about agents except their permissions: a part of `CALLS`. */
export const AGENT_CALLS = {
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
