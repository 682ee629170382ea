import { describe, expect, it } from "vitest";
import { OutputTail } from "./output.ts";

const linesOf = (...chunks: readonly string[]) => {
  const tail = new OutputTail();
  for (const chunk of chunks) tail.take(Buffer.from(chunk));
  return tail.lines();
};

describe("the tail of a running command's output", () => {
  it("has the last five lines, the one that is being written included", () => {
    expect(linesOf("1\n2\n3\n", "4\n5\n6\n7")).toEqual(["3", "4", "5", "6", "7"]);
  });

  it("has what a line was last overwritten with as a line of its own, and no empty ones", () => {
    expect(linesOf("10 %\r20 %\r\n\n  \nend")).toEqual(["10 %", "20 %", "end"]);
  });

  it("has no sequences for a terminal", () => {
    expect(linesOf("\u001b[31mred\u001b[0m \u001b]0;title\u0007plain")).toEqual(["red plain"]);
  });

  it("is bounded in bytes and in each line, and begins with no half line", () => {
    expect(linesOf("x".repeat(100_000))).toEqual(["x".repeat(200)]);
    const lines = linesOf(`${"a".repeat(3_000)}\nlast`);
    expect(lines).toEqual(["last"]);
  });
});
