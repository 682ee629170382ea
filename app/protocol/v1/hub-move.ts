import Type from "typebox";
import { guardOf } from "../../contract/checked.ts";

/** What tells an agent that its person has moved to another hub (docs/protocol.md, "Another hub"). */
export const HUB_MOVED_SUBTYPE = "hub_moved";

const isMove = guardOf(
  Type.Object({
    type: Type.Literal("artifact"),
    artifact: Type.Object({
      subtype: Type.Literal(HUB_MOVED_SUBTYPE),
      hub: Type.String({ maxLength: 2_048 }),
      token: Type.Union([Type.String({ minLength: 1, maxLength: 128 }), Type.Null()]),
      moved_at: Type.Integer({ minimum: 0 }),
    }),
  }),
);

export interface HubMove {
  /** Its origin. */
  readonly hub: string;
  /** The agent's there; null: the one it had there before. */
  readonly token: string | null;
  /** Milliseconds since the epoch, by the person's clock. An older one counts no more. */
  readonly moved_at: number;
}

export const encodeHubMove = (move: HubMove): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ type: "artifact", artifact: { subtype: HUB_MOVED_SUBTYPE, ...move } }),
  );

/** `undefined`: it is none, or leads where no hub can be. */
export function readHubMove(plaintext: Uint8Array): HubMove | undefined {
  try {
    const message: unknown = JSON.parse(new TextDecoder().decode(plaintext));
    if (!isMove(message)) return undefined;
    const { hub, token, moved_at } = message.artifact;
    return isHubOrigin(hub) ? { hub, token, moved_at } : undefined;
  } catch {
    return undefined;
  }
}

/** Over a network only with TLS. */
const isHubOrigin = (text: string): boolean =>
  /^https:\/\/[0-9a-z.:[\]-]+$/.test(text) || isOnThisComputer(text);

/** Where the embedded hub is; its port may change. */
export const isOnThisComputer = (origin: string): boolean =>
  /^http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(origin);
