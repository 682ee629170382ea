import type { EncryptionLevel } from "../../app/encryption/correspondence/ports.ts";

interface Reached {
  readonly connectionMode?: "websocket" | "webhook";
}

/** docs/encryption.md, "Levels" */
export const levelFor = ({ connectionMode }: Reached): EncryptionLevel =>
  connectionMode === "webhook" ? "sealed" : "ratchet";
