import Type from "typebox";
import { type AgentDifferences, PETNAME_MAX } from "./agent-views.ts";
import { call, closed, Id } from "./call-shape.ts";

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
   * Ends the relation at the hub and deletes everything given to the agent; the log stays. Its history
   * is deleted too, unless `keep_history`: then it can still be read.
   * @throws `not_found`; `hub_unreachable`: its permissions are revoked nevertheless
   */
  "agents.remove": call<null>()(
    Type.Object({ agent_id: Id, keep_history: Type.Optional(Type.Boolean()) }, closed),
  ),
  /** What changed since the person reviewed it. @throws `not_found` */
  "agents.differences": call<AgentDifferences>()(Type.Object({ agent_id: Id }, closed)),
  /** The person has seen the missed requests. */
  "missed.dismiss": call<null>()(Type.Object({}, closed)),
} as const;
