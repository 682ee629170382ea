import { posix } from "node:path";
import { readLine } from "../../commands/read-line.ts";
import { readsOnly } from "../../commands/read-only.ts";
import type { FoundLine } from "../../contract/command-line.ts";

/** A line as it is found where there are no links, and every program is in /usr/bin. */
export function sampleLine(text: string, directory = "/home/me/app"): FoundLine {
  const reading = readLine(text);
  if (reading.kind === "unread") {
    return { unread: reading.unread, commands: [], directory };
  }
  const folder = posix.resolve(directory, reading.directory ?? ".");
  const commands = reading.commands.map((command) => {
    const [named = "", ...rest] = command.words;
    const reads = readsOnly(command, folder);
    const places = rest.filter((word) => /^\.|\//.test(word) && !/\s|:\/\//.test(word));
    return {
      ...command,
      program: named.includes("/") ? posix.resolve(folder, named) : `/usr/bin/${named}`,
      places: reads === null ? places.map((word) => posix.resolve(folder, word)) : [],
      reads,
    };
  });
  return { unread: null, commands, directory: folder };
}
