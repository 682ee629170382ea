import type {
  ActivityRow,
  AgentCard,
  ConsentCard,
  Notice,
  PairingView,
  Settings,
  Snapshot,
} from "./views.ts";

/** What the host tells its renderers: the one map of that direction. Whole lists, not edits. */
export interface Events {
  readonly "consents.changed": readonly ConsentCard[];
  readonly "agents.changed": readonly AgentCard[];
  readonly "pairings.changed": readonly PairingView[];
  readonly "settings.changed": Settings;
  readonly "notices.changed": readonly Notice[];
  readonly "hub.changed": { readonly connected: boolean };
  readonly "sample_agent.changed": Snapshot["sample_agent"];
  /** A line of the log was added or completed. */
  readonly "activity.changed": ActivityRow;
  /** The host asks the page for something only its browser can do. */
  readonly "page.request":
    | { readonly request_id: string; readonly kind: "clipboard.read" }
    | { readonly request_id: string; readonly kind: "clipboard.write"; readonly text: string }
    | {
        readonly request_id: string;
        readonly kind: "notification.show";
        readonly title: string;
        readonly body: string;
      };
}

export type EventName = keyof Events;

export const EVENT_NAMES = [
  "consents.changed",
  "agents.changed",
  "pairings.changed",
  "settings.changed",
  "notices.changed",
  "hub.changed",
  "sample_agent.changed",
  "activity.changed",
  "page.request",
] as const satisfies readonly EventName[];

/** The consent window hears these and no others. */
export const CONSENT_WINDOW_EVENTS = [
  "consents.changed",
  "settings.changed",
] as const satisfies readonly EventName[];
