import Type from "typebox";
import {
  MODEL_PROVIDERS,
  type ModelFault,
  type ModelProvider,
} from "../contract/connected-model.ts";
import { call, closed } from "./call-shape.ts";

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
