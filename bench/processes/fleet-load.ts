import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Heard, openLine } from "./fleet-line.ts";
import type { FleetPlan } from "./fleet-plan.ts";
import { ENVELOPE_BYTES } from "./relay-plan.ts";
import { serveTurns } from "./serve-turns.ts";

/** People, and their agents at the next node. A call is a message from an agent to its person. */
const [file = ""] = process.argv.slice(2);
const { urls, people }: FleetPlan = JSON.parse(readFileSync(file, "utf8"));
const at = (nth: number): string => urls[nth % urls.length] ?? "";

/** By envelope, which is unique to each message. */
const awaited = new Map<string, () => void>();
const senders: { readonly conversation_id: string; readonly send: (frame: object) => void }[] = [];
const hear = (frame: Heard, send: (frame: object) => void): void => {
  const { type, encrypted_payload, conversation_id, conversation_seq } = frame;
  if (type !== "message.new") return;
  awaited.get(encrypted_payload)?.();
  send({ type: "message.received", conversation_id, conversation_seq });
};
for (const [nth, { token, agents }] of people.entries()) {
  await openLine(`${at(nth)}/ws/human`, { token }, hear);
  for (const { agent_id, token: secret, conversation_id } of agents) {
    const refused = ({ type }: Heard): void => {
      if (type === "message.refused") throw new Error("refused");
    };
    const line = await openLine(`${at(nth + 1)}/ws/agent`, { agent_id, token: secret }, refused);
    senders.push({ conversation_id, send: line.send });
  }
}

/** Else what another process sent before would be taken for the same. */
const run = randomBytes(8).toString("hex");
let sent = 0;
serveTurns(async () => {
  const sender = senders[sent % senders.length];
  if (sender === undefined) throw new Error("nobody is connected");
  sent += 1;
  const bytes = randomBytes(ENVELOPE_BYTES);
  // The unencrypted envelope version; the hub opens none.
  bytes[0] = 0;
  const encrypted_payload = bytes.toString("base64");
  const arrived = new Promise<void>((resolve) => awaited.set(encrypted_payload, resolve));
  const { conversation_id } = sender;
  sender.send({
    type: "message.send",
    client_message_id: `${run}-${sent}`,
    conversation_id,
    content_type: "text",
    encrypted_payload,
  });
  await arrived;
  awaited.delete(encrypted_payload);
});
