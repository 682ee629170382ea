import { expect } from "vitest";
import { CONVERSATION_ID, type TestEnd } from "./correspondents.ts";

/** A text, sealed by one end for another. */
export const write = (
  from: TestEnd,
  to: TestEnd,
  text: string,
  conversation_id = CONVERSATION_ID,
): Promise<string> =>
  from.mail.seal(new TextEncoder().encode(text), {
    conversation_id,
    recipient_ids: [to.id],
    kind: "text",
    call_id: null,
  });

export const open = (from: TestEnd, to: TestEnd, wire: string, conversation_id = CONVERSATION_ID) =>
  to.mail.open(wire, { conversation_id, sender_id: from.id, kind: "text" });

/** The text that an end opens. */
export async function take(...envelope: Parameters<typeof open>): Promise<string> {
  return new TextDecoder().decode((await open(...envelope)).plaintext);
}

export const expectRefused = (work: Promise<unknown>, code: string): Promise<void> =>
  expect(work).rejects.toMatchObject({ name: "SealingError", code });
