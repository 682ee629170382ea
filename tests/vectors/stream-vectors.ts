import { sealPart, streamKey } from "../../app/encryption/e2ee/streams.ts";
import { bytesOf, makeParties, toHex } from "./vector-parties.ts";

const PLACE = { conversationId: "conversation-1", senderId: "agent-1", streamId: "stream-1" };
const PARTS = [
  { kind: "delta", index: 0, text: "Good " },
  { kind: "delta", index: 1, text: "mörning" },
  { kind: "done", index: 2, text: "" },
] as const;

/** A stream's parts under the key that its first frame carries. */
export function streamVectors() {
  const { crypto } = makeParties("stream");
  const secret = crypto.randomBytes(32);
  const key = streamKey(crypto, secret, PLACE);
  const parts = [];
  for (const { kind, index, text } of PARTS) {
    const part = sealPart(crypto, key, kind, index, bytesOf(text));
    parts.push({ kind, text, part: toHex(part) });
  }
  return {
    conversation_id: PLACE.conversationId,
    sender_id: PLACE.senderId,
    stream_id: PLACE.streamId,
    stream_key: toHex(secret),
    parts,
  };
}
