import { createHash } from "node:crypto";

/**
 * The id of one delivery: the same at every attempt and after a restart, and another for every
 * agent, also where two are told of one message. RFC 9562 §5.7 (UUID version 7): when it came
 * about, and in place of chance a digest of what it is about.
 *
 * @param createdAt milliseconds since the epoch
 */
export function deliveryId(agentId: string, eventId: string, createdAt: number): string {
  const bytes = createHash("sha256").update(`${agentId}\n${eventId}`).digest().subarray(0, 16);
  bytes.writeUIntBE(createdAt, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
