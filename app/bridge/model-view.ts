import type { ModelFault, ModelProvider } from "../contract/connected-model.ts";

/** The model that the person has connected. Its key is never shown again. */
export interface ModelView {
  readonly provider: ModelProvider;
  /** As the provider writes it; empty for the demonstration. */
  readonly model: string;
  readonly base_url: string | null;
  readonly has_key: boolean;
  readonly state: "stopped" | "running";
  /** Why it does not answer, until it answers again. */
  readonly fault: ModelFault | null;
  /** What it shows while it waits to be added. */
  readonly code: string | null;
  /** The person's conversation with it; null until it is connected. */
  readonly conversation_id: string | null;
}
