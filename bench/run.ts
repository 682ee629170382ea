import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOf } from "./environment.ts";
import { type Flags, readFlags } from "./flags.ts";
import { installPeers, type Peers } from "./install-peers.ts";
import { interleave } from "./interleave.ts";
import { reportOf } from "./report.ts";
import { type FileToRead, startConsentry } from "./subjects/consentry.ts";
import { startMeasured } from "./subjects/measured-process.ts";
import type { Subject } from "./subjects/subject.ts";
import { environmentLine, tableOf } from "./table.ts";

const FILE_BYTES = 4_096;
const PEER = "MCP server-filesystem, stdio";

/** Progress goes to stderr: stdout is the table, or the JSON. */
const say = (line: string): void => void process.stderr.write(`${line}\n`);

function fileIn(folder: string): FileToRead {
  const path = join(folder, "read-me.txt");
  writeFileSync(path, "A line of plain text, as notes are.\n".repeat(200).slice(0, FILE_BYTES));
  return { folder, path, bytes: FILE_BYTES };
}

const startPeer = ({ folder, path, bytes }: FileToRead): Promise<Subject> =>
  startMeasured({
    name: PEER,
    modes: [1, 32],
    entry: "mcp-client.mjs",
    args: [folder, path, String(bytes)],
  });

const startChain = (kind: "memory" | "durable", folder: string): Promise<Subject> =>
  startMeasured({
    name: kind === "memory" ? "Contract chain, in memory" : "Contract chain, durable log",
    modes: [1, 32],
    entry: "chain.ts",
    args: [kind, folder, String(FILE_BYTES)],
  });

const startDiskFloor = (folder: string): Promise<Subject> =>
  startMeasured({
    name: "Disk: 4 KiB and fdatasync",
    modes: [1],
    entry: "disk-floor.ts",
    args: [folder],
  });

async function measureAll(flags: Flags, peers: Peers, ending: AsyncDisposableStack): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "consentry-bench-"));
  ending.defer(() => rmSync(folder, { recursive: true, force: true }));
  const environment = environmentOf(folder);
  const files = mkdtempSync(join(folder, "files-"));
  const file = fileIn(files);

  const subjects: Subject[] = [];
  const add = async (starting: Promise<Subject>): Promise<Subject> => {
    const subject = await starting;
    ending.defer(() => subject.close());
    subjects.push(subject);
    return subject;
  };
  const ours = await add(startConsentry({ folder, file, profile: flags.profile }));
  if (peers.kind === "installed") await add(startPeer(file));
  await add(startChain("memory", folder));
  await add(startChain("durable", folder));
  await add(startDiskFloor(folder));

  const measured = await interleave(subjects, flags, say);
  const rows = reportOf(measured, { ours: ours.name, peer: PEER });
  if (flags.json) {
    console.log(JSON.stringify({ environment, flags, peers, rows }, null, 2));
    return;
  }
  console.log(`\n${environmentLine(environment)}`);
  console.log(`${flags.rounds} rounds of ${flags.calls} calls, after a warm-up\n`);
  console.log(tableOf(rows));
  if (peers.kind === "missing") console.log(`\nWithout the peer: ${peers.why}`);
}

const flags = readFlags(process.argv.slice(2));
const ending = new AsyncDisposableStack();
try {
  await measureAll(flags, installPeers(say), ending);
} finally {
  await ending.disposeAsync();
}
