import { describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import { sealingError } from "../../app/protocol/v1/message-sealing.ts";
import { IncomingStreams } from "./incoming-streams.ts";

describe("streams that come in", () => {
  const about = { conversation_id: "talk", stream_id: "s", sender_id: "agent" };
  const streams = (start: string, deltas: readonly string[], done: string) => {
    const heard: string[] = [];
    const taken = new IncomingStreams(
      {
        openStream: async (wire) => {
          if (wire === "bad") throw sealingError("bad_signature");
          return {
            delta: async (part) => {
              if (part === "bad") throw sealingError("reordered");
              return part.toUpperCase();
            },
            done: async (part) => {
              if (part === "cut") throw sealingError("malformed");
            },
          };
        },
      },
      ({ type }, text) => heard.push(text === null ? type : `${type} ${text}`),
    );
    taken.take({ ...about, type: "stream.start", encrypted_payload: start });
    for (const delta of deltas) {
      taken.take({ ...about, type: "stream.delta", encrypted_payload: delta });
    }
    taken.take({ ...about, type: "stream.done", encrypted_payload: done });
    return { heard, taken };
  };

  it("are passed on part by part, in the order they arrived", async () => {
    const { heard } = streams("key", ["a", "b"], "end");
    await turn();
    expect(heard).toEqual(["stream.start", "stream.delta A", "stream.delta B", "stream.done"]);
  });

  it.each([
    ["whose beginning does not open", "bad", "a", "end", ["stream.abort"]],
    ["of which a part is not the next", "key", "bad", "end", ["stream.start", "stream.abort"]],
    ["that are cut", "key", "a", "cut", ["stream.start", "stream.delta A", "stream.abort"]],
  ])("%s are taken back and go no further", async (_, start, delta, done, told) => {
    const { heard, taken } = streams(start, [delta], done);
    taken.take({ ...about, type: "stream.delta", encrypted_payload: "late" });
    await turn();
    expect(heard.slice(0, told.length)).toEqual(told);
    expect(heard.join()).not.toContain("LATE");
  });
});
