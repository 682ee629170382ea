import type { EventName, Events } from "../../../app/bridge/events.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Delivery } from "../../../app/protocol/link/outbox.ts";
import type { ArtifactFetch } from "../../../app/protocol/v1/artifact-messages.ts";
import type { OwnMessage } from "../../channels/hub-channel.ts";
import type { ConversationRest } from "../../channels/hub-rest.ts";
import type { ActivityReader, ConversationStore } from "../../storage/index.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import type { DeliverFile, Microphone } from "../host-port.ts";
import type { AgentStates } from "../hub/presence.ts";
import type { FullHistoriesPorts } from "./full-histories.ts";

export interface ConversationPorts {
  /** Reports to the hub and the person which agents' histories are full. */
  readonly histories: Pick<FullHistoriesPorts, "tell" | "notify">;
  readonly userId: string;
  readonly store: ConversationStore;
  readonly activity: Pick<ActivityReader, "page">;
  readonly rest: Pick<ConversationRest, "conversations" | "conversation">;
  readonly scheduler: Scheduler;
  /** Milliseconds on the trusted clock. */
  now(): number;
  readonly agents: HubAgentReader;
  readonly settledFor: (agentId: string) => Promise<void>;
  isOnline(agentId: string): boolean;
  readonly statuses: Pick<AgentStates, "of">;
  readonly naming: Pick<AgentNaming, "petname" | "borrowing">;
  readonly post: (message: OwnMessage, delivery: Delivery) => void;
  /** Asks an agent for an artifact of which changes are missing; false: it must be tried again. */
  readonly ask: (conversationId: string, fetch: ArtifactFetch) => Promise<boolean>;
  readonly deliver: DeliverFile;
  readonly microphone: Microphone | undefined;
  readonly tellRead: (conversationId: string, seq: number) => void;
  readonly emit: <E extends EventName>(name: E, event: Events[E]) => void;
  /** The list has changed. */
  readonly changed: () => void;
  readonly report: (error: unknown) => void;
}
