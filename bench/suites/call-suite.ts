import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { startConsentry } from "../subjects/consentry.ts";
import { type FileToRead, textFileIn } from "../subjects/file-to-read.ts";
import { startLeast } from "../subjects/least.ts";
import { startMcpRead } from "../subjects/mcp-server.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import type { Subject } from "../subjects/subject.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

const FILE_BYTES = 4_096;
const PEER = "MCP server-filesystem, stdio";
const DURABLE = "Contract chain, durable log";
const DISK = "Disk: 4 KiB and fdatasync";
const LEAST = "A call's least: sealed, stored, opened";

const startChain = (
  kind: "memory" | "durable",
  folder: string,
  { bytes }: FileToRead,
): Promise<Subject> =>
  startMeasured({
    name: kind === "memory" ? "Contract chain, in memory" : DURABLE,
    modes: [1, 32],
    entry: "chain.ts",
    args: [kind, folder, String(bytes)],
  });

const startDiskFloor = (folder: string): Promise<Subject> =>
  startMeasured({
    name: DISK,
    modes: [1],
    entry: "disk-floor.ts",
    args: [folder],
  });

/** A complete silent call, compared with its peer and with parts of itself. */
export async function callSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, peers, folder, ending, say } = parts;
  const file = textFileIn(mkdtempSync(join(folder, "files-")), FILE_BYTES);
  const subjects = new Subjects(ending);
  const modes = [1, 32] as const;
  const name = "Consentry, silent read_file";
  const ours = await subjects.add(
    startConsentry({ name, modes, dataDir: join(folder, "client"), file, profile: flags.profile }),
  );
  if (peers.kind === "installed") await subjects.add(startMcpRead(PEER, modes, file));
  await subjects.add(startLeast(LEAST, "encrypted", modes, folder, file));
  await subjects.add(startChain("memory", folder, file));
  await subjects.add(startChain("durable", folder, file));
  await subjects.add(startDiskFloor(folder));
  const measured = await interleave(subjects.all, flags, say);
  const withPeer = peers.kind === "installed" ? [[LEAST, PEER] as const] : [];
  return {
    about: `${flags.rounds} rounds of ${flags.calls} calls, after a warm-up`,
    rows: reportOf(measured, { ours, peer: PEER }),
    comparisons: compare(measured, [[ours, LEAST], ...withPeer, [DURABLE, DISK]]),
    notes: peers.kind === "missing" ? [`Without the peer: ${peers.why}`] : [],
  };
}
