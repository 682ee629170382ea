import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

export const AGENTS = ["Reader", "Writer", "Helper"] as const;

export interface Request {
  readonly agent: (typeof AGENTS)[number];
  readonly tool: string;
  readonly args: Readonly<Record<string, string>>;
}

/** A server on this computer whose pages are fetched; resolves to its address. */
export async function pagesToFetch(): Promise<{ server: Server; origin: string }> {
  const server = createServer((_request, response) => response.end("A page."));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/**
 * A hundred requests of three agents, always the same, in an order that mixes them.
 *
 * @param folder where the files are made that are read and written
 */
export function dayOf(folder: string, origin: string): readonly Request[] {
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const files = numbered(40, (nth) => join(project, `note-${nth}.md`));
  for (const file of files) writeFileSync(file, "A note.\n");
  return mixed([
    ...numbered(20, (nth) => request("Reader", "fetch_url", { url: `${origin}/page-${nth}` })),
    ...files.map((path) => request("Writer", "read_file", { path })),
    ...numbered(20, () => request("Writer", "list_directory", { path: project })),
    ...numbered(10, (nth) =>
      request("Writer", "write_file", { path: join(project, `new-${nth}.md`), content: "New.\n" }),
    ),
    ...numbered(10, (nth) => request("Helper", "write_clipboard", { text: `Text ${nth}` })),
  ]);
}

const numbered = <T>(count: number, make: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index + 1));

const request = (agent: Request["agent"], tool: string, args: Request["args"]): Request => ({
  agent,
  tool,
  args,
});

/** Each kind stays in its own order; 37 has no divisor in common with 100. */
const mixed = <T>(all: readonly T[]): T[] =>
  all.map((_, index) => all[(index * 37) % all.length] as T);
