import type { Settings } from "../contract/settings.ts";
import type { AgentDetails, KeysView, PairingView } from "./agent-views.ts";
import type {
  ConsentCard,
  HeldDenialView,
  MissedView,
  RunningView,
  TurnedAwayView,
} from "./consent-views.ts";
import { CONVERSATION_EVENTS, type ConversationEvents } from "./conversation-views.ts";
import type { HubView } from "./hub-calls.ts";
import type { ActivityRow, Notice, Snapshot } from "./views.ts";

/** All events from the host to its renderers. Whole lists, not edits. */
export interface Events extends ConversationEvents {
  readonly "consents.changed": readonly ConsentCard[];
  readonly "denials.changed": readonly HeldDenialView[];
  readonly "agents.changed": readonly AgentDetails[];
  readonly "pairings.changed": readonly PairingView[];
  readonly "settings.changed": Settings;
  readonly "paused.changed": { readonly paused: boolean };
  readonly "login_start.changed": Snapshot["login_start"];
  readonly "updates.changed": Snapshot["updates"];
  readonly "notices.changed": readonly Notice[];
  readonly "hub.changed": HubView;
  readonly "keys.changed": KeysView;
  readonly "sample_agent.changed": Snapshot["sample_agent"];
  readonly "model.changed": Snapshot["model"];
  readonly "running.changed": readonly RunningView[];
  readonly "missed.changed": MissedView;
  readonly "turned_away.changed": TurnedAwayView;
  /** A log entry was added or completed. */
  readonly "activity.changed": ActivityRow;
  /** The progress of a verification of the log, at most a hundred times in each. */
  readonly "activity.verifying": { readonly verified: number; readonly total: number };
  /** The host asks the page for something only its browser can do. */
  readonly "page.request":
    | { readonly request_id: string; readonly kind: "clipboard.read" }
    | { readonly request_id: string; readonly kind: "clipboard.write"; readonly text: string }
    | { readonly request_id: string; readonly kind: "clipboard.read_image" }
    /** `image`: a PNG in base64. */
    | {
        readonly request_id: string;
        readonly kind: "clipboard.write_image";
        readonly image: string;
      }
    | {
        readonly request_id: string;
        readonly kind: "notification.show";
        readonly title: string;
        readonly body: string;
        /** Replaces the notification shown under the same name; null: none. */
        readonly replaces: string | null;
        /** Where a click leads. */
        readonly place: ConversationShown;
      }
    | {
        readonly request_id: string;
        readonly kind: "location.find";
        readonly accuracy: "coarse" | "fine";
      };
  /** The person clicked on a notification: the page goes there. */
  readonly "conversation.shown": ConversationShown;
  /** The program ends and deletes what it stored. */
  readonly "data.removed": null;
}

export interface ConversationShown {
  readonly agent_id: string;
  readonly conversation_id: string;
}

export type EventName = keyof Events;

/** In the order in which changes of one moment are sent: keys before the pairings that show them. */
export const EVENT_NAMES = [
  "consents.changed",
  "denials.changed",
  "agents.changed",
  "keys.changed",
  "pairings.changed",
  "settings.changed",
  "paused.changed",
  "login_start.changed",
  "updates.changed",
  "notices.changed",
  "hub.changed",
  "sample_agent.changed",
  "model.changed",
  "running.changed",
  "missed.changed",
  "turned_away.changed",
  ...CONVERSATION_EVENTS,
  "activity.changed",
  "activity.verifying",
  "page.request",
  "conversation.shown",
  "data.removed",
] as const satisfies readonly EventName[];

/** The only events that the consent window gets. */
export const CONSENT_WINDOW_EVENTS = [
  "consents.changed",
  "denials.changed",
  "turned_away.changed",
  "settings.changed",
] as const satisfies readonly EventName[];
