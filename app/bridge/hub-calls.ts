import Type from "typebox";
import { call, closed } from "./call-shape.ts";

/** Why a hub elsewhere does not let this device in. */
export const HUB_FAULTS = [
  "hub_unreachable",
  "hub_not_invited",
  "hub_other_address",
  "hub_certificate_expired",
  "hub_certificate_name",
  "hub_certificate_untrusted",
  "invitation_unusable",
  "account_suspended",
] as const;
export type HubFault = (typeof HUB_FAULTS)[number];

/** Which hub the person is at. */
export interface HubView {
  readonly url: string;
  /** The program's own. */
  readonly own: boolean;
  readonly connected: boolean;
  /** Null: nothing is known to be in the way. */
  readonly fault: HubFault | null;
}

/** After a move. */
export interface HubMoved {
  /** The names of agents that could not be told, and have to be added again. */
  readonly untold: readonly string[];
}

export const HUB_CALLS = {
  /**
   * To the hub with this address or invitation; null: back to the program's own. Agents keep what was granted.
   * @throws `hub_link_unusable`, `already_running`, `hub_unreachable`, `hub_not_invited`, `hub_other_address`,
   * `hub_certificate_expired`, `hub_certificate_name`, `hub_certificate_untrusted`, `invitation_unusable`,
   * `account_suspended`: nothing has changed
   */
  "hub.move": call<HubMoved>()(
    Type.Object({ link: Type.Union([Type.String({ maxLength: 2_048 }), Type.Null()]) }, closed),
  ),
} as const;
