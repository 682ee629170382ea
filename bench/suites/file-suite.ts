import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { interleave, type Measured } from "../interleave.ts";
import { type Comparison, compare, reportOf } from "../report.ts";
import { startConsentry } from "../subjects/consentry.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import { startMcpRead } from "../subjects/mcp-server.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { ripgrepVersion, startRipgrep, type Wanted } from "../subjects/ripgrep.ts";
import type { Subject } from "../subjects/subject.ts";
import { makeTree, type SearchedTree } from "./make-tree.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

const SIZES = [
  { title: "4 KiB", bytes: 4_096 },
  { title: "1 MiB", bytes: 1_048_576 },
] as const;

/** Our file service and its worker, without a client. */
const startService = (name: string, args: readonly string[]): Promise<Subject> =>
  startMeasured({ name, modes: [1], entry: "file-service.ts", args });

/** Pairs of subjects: ours, and the one it is compared with. */
type Pairs = (readonly [ours: string, peer: string])[];

/** The file tools: reading, and searching a large tree. */
export async function fileSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags } = parts;
  const tree = treeOf(parts);
  const reads = await measureReads(parts);
  const searches = await measureSearches(parts, tree);
  const size = `${tree.files} files, ${Math.round(tree.bytes / 1_048_576)} MiB`;
  return {
    about: `${flags.rounds} rounds: ${flags.calls} reads and 1 search (${size}) each, after a warm-up`,
    rows: reportOf([...reads.measured, ...searches.measured], null),
    comparisons: [...reads.comparisons, ...searches.comparisons],
    notes: notesOf(parts),
  };
}

function treeOf({ flags, folder, say }: SuiteParts): SearchedTree {
  say(`Making ${flags.files} files.`);
  return makeTree(join(folder, "tree"), flags.files);
}

function notesOf({ peers }: SuiteParts): readonly string[] {
  const version = ripgrepVersion();
  return [
    version === null ? "Without ripgrep: there is no rg in PATH" : `Beside ${version}`,
    ...(peers.kind === "missing" ? [`Without the MCP server: ${peers.why}`] : []),
  ];
}

interface Part {
  readonly measured: readonly Measured[];
  readonly comparisons: readonly Comparison[];
}

async function measureReads(parts: SuiteParts): Promise<Part> {
  const { flags, peers, folder, ending, say } = parts;
  const files = join(folder, "files");
  mkdirSync(files);
  const subjects = new Subjects(ending);
  const pairs: Pairs = [];
  for (const { title, bytes } of SIZES) {
    const file = textFileIn(files, bytes);
    const name = `read ${title}: whole client`;
    const dataDir = join(folder, `client-${bytes}`);
    const client = await subjects.add(
      startConsentry({ name, modes: [1], dataDir, file, profile: null }),
    );
    const service = await subjects.add(
      startService(`read ${title}: file service`, [files, "read", file.path, String(bytes)]),
    );
    if (peers.kind === "missing") continue;
    const peer = await subjects.add(startMcpRead(`read ${title}: MCP server`, [1], file));
    pairs.push([client, peer], [service, peer]);
  }
  const measured = await interleave(subjects.all, flags, say);
  return { measured, comparisons: compare(measured, pairs) };
}

async function measureSearches(parts: SuiteParts, tree: SearchedTree): Promise<Part> {
  const { flags, peers, ending, say } = parts;
  const { folder } = tree;
  const subjects = new Subjects(ending);
  const pairs: Pairs = [];
  const rg = ripgrepVersion() !== null;
  const kinds: readonly (readonly [string, Wanted, number])[] = [
    ["names", { glob: tree.glob }, tree.globFound],
    ["text", { text: tree.text }, tree.textFound],
  ];
  for (const [kind, wanted, found] of kinds) {
    const search = [folder, "search", JSON.stringify(wanted), String(found)];
    const ours = await subjects.add(startService(`search ${kind}: file service`, search));
    for (const threads of rg ? [1, null] : []) {
      const name = `search ${kind}: ripgrep${threads === 1 ? ", one thread" : ""}`;
      const peer = await subjects.add(startRipgrep(name, folder, wanted, found, threads));
      pairs.push([ours, peer]);
    }
    if (peers.kind === "installed" && "glob" in wanted) {
      const name = `search ${kind}: MCP server`;
      const args = [folder, "search", wanted.glob, String(found)];
      const server = startMeasured({ name, modes: [1], entry: "mcp-client.mjs", args });
      pairs.push([ours, await subjects.add(server)]);
    }
  }
  const measured = await interleave(subjects.all, { ...flags, calls: 1 }, say);
  return { measured, comparisons: compare(measured, pairs) };
}
