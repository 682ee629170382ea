import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import type { AcknowledgementRecord } from "../../app/audit/audit-record.ts";
import { lossIn } from "../../app/audit/rollback.ts";
import type { ChainVerdict } from "../../app/audit/verify-chain.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import type { ChainFault } from "../../app/contract/audit-log.ts";
import {
  type AuditFileErrorCode,
  auditFileError,
  exportLog,
  type VerifyReport,
  verifyDatabase,
  verifyFile,
  writeAside,
} from "../../main/audit-log/index.ts";
import { anchorFile, anchorFolder, dataFolder } from "../../main/client/launch/data-folder.ts";
import { claimInstance } from "../../main/client/launch/instance-lock.ts";
import { AnchorFile, openLog, openStore, storeError } from "../../main/storage/index.ts";
import { ownFileError } from "../../runtime/files/own-file.ts";
import { seedLog } from "../../tests/seeding/seed-log.ts";
import { AUDIT_USAGE, type AuditCommand, readAuditFlags, usageError } from "./audit-flags.ts";
import { type SalvageReport, salvageLog } from "./salvage-log.ts";

export interface AuditSurroundings {
  readonly stdout: Writable;
  /** One line for people. */
  readonly stderr: (line: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The exit code of `verify`; the other commands use only the first and the last. */
const HOLDS = 0;
const BROKEN = 1;
const UNREADABLE = 2;

type CommandOf<C extends AuditCommand["command"]> = Extract<AuditCommand, { command: C }>;

/** @returns the exit code */
export async function runAudit(
  argv: readonly string[],
  around: AuditSurroundings,
): Promise<number> {
  if (argv.includes("--help")) {
    around.stdout.write(`${AUDIT_USAGE}\n`);
    return HOLDS;
  }
  try {
    return await run(readAuditFlags(argv), around);
  } catch (error) {
    around.stderr(sentenceFor(error));
    return UNREADABLE;
  }
}

function run(command: AuditCommand, around: AuditSurroundings): Promise<number> {
  switch (command.command) {
    case "verify":
      return verify(command, around);
    case "acknowledge":
      return acknowledge(command, around);
    case "export":
      return exportTo(command, around);
    case "salvage":
      return salvage(command, around);
    case "seed":
      return seedFolder(command, around);
    default:
      return assertNever(command);
  }
}

async function verify({ dataDir, file, json }: CommandOf<"verify">, around: AuditSurroundings) {
  const report =
    file === null ? await verifyFolder(folderWithLog(dataDir)) : await verifyFile(file);
  around.stdout.write(`${json ? verifyJson(report) : verifyText(report)}\n`);
  return report.verdict.ok ? HOLDS : BROKEN;
}

function folderWithLog(dataDir: string | null): string {
  const folder = dataFolder(dataDir);
  if (!existsSync(join(folder, "consentry.db")))
    throw usageError("usage", { message: `${folder} has no log.` });
  return folder;
}

/** The anchor is read first, because it is never ahead of the log. */
function verifyFolder(dataDir: string) {
  const anchor = new AnchorFile(anchorFile(anchorFolder(), dataDir)).read();
  return verifyDatabase(() => openLog(dataDir), anchor);
}

/** The running program does this itself, on a click: two writers would not know of each other. */
async function acknowledge(
  { dataDir }: CommandOf<"acknowledge">,
  around: AuditSurroundings,
): Promise<number> {
  const folder = folderWithLog(dataDir);
  const claim = await claimInstance(folder);
  if (claim.kind === "second") {
    throw usageError("usage", {
      message: "Consentry is running. Acknowledge it on its Activity page.",
    });
  }
  try {
    const { store, rolledBack } = openStore({
      dataDir: folder,
      wallClock: { now: around.now },
      monotonic: performance,
      random: randomBytes,
      anchor: {
        file: anchorFile(anchorFolder(), folder),
        // No timers: closing writes last.
        scheduler: { after: () => () => {} },
        failed: () => around.stderr("The note outside the data folder could not be written."),
      },
    });
    try {
      await store.acknowledgeRollbacks();
    } finally {
      store.close();
    }
    around.stderr(rolledBack ? "Acknowledged, and noted in the log." : "Nothing to acknowledge.");
  } finally {
    claim.lock.release();
  }
  return HOLDS;
}

async function exportTo(command: CommandOf<"export">, around: AuditSurroundings) {
  const { format, from, to, output, replace, subjects } = command;
  const range = { from, to };
  const source = openLog(folderWithLog(command.dataDir));
  try {
    const chunks = exportLog({ source, format, range, subjects, exportedAt: around.now() });
    if (output === null) await pour(chunks, around.stdout);
    else await writeAside(output, chunks, { replace });
  } finally {
    source.close();
  }
  return HOLDS;
}

/** As fast as it is read, and no faster. */
async function pour(chunks: AsyncIterable<Uint8Array>, stream: Writable): Promise<void> {
  for await (const chunk of chunks) {
    if (!stream.write(chunk)) await once(stream, "drain");
  }
}

async function salvage({ file, output, replace }: CommandOf<"salvage">, around: AuditSurroundings) {
  let report: SalvageReport = { recovered: 0, mismatched: 0, gaps: 0, missing: 0 };
  const chunks = salvageLog(file, around.now(), (done) => {
    report = done;
  });
  await writeAside(output, chunks, { replace });
  const { recovered, mismatched, gaps, missing } = report;
  around.stderr(
    `${recovered} records recovered; ${mismatched} more do not match their hash and are marked; ` +
      `${missing} are missing in ${gaps} gaps.`,
  );
  return HOLDS;
}

async function seedFolder(
  { dataDir, records, seed }: CommandOf<"seed">,
  around: AuditSurroundings,
) {
  const folder = dataFolder(dataDir);
  // Even an empty one may belong to a running program.
  if (existsSync(join(folder, "consentry.db"))) {
    throw usageError("usage", { message: "That data folder has a log already." });
  }
  seedLog({ dataDir: folder, count: records, seed, now: around.now() });
  around.stderr(`${records} records written to ${folder}.`);
  return HOLDS;
}

const UNREADABLE_BECAUSE: Readonly<Record<AuditFileErrorCode, string>> = {
  not_an_export: "Consentry did not export this file.",
  file_exists: "There is a file of that name already; --force replaces it.",
  file_unwritable: "The file cannot be written there.",
};

const NO_TABLES =
  "The list of tables cannot be read. The .recover command of the sqlite3 program may help.";

function sentenceFor(error: unknown): string {
  if (usageError.is(error) || ownFileError.is(error)) return error.message;
  if (auditFileError.is(error)) return UNREADABLE_BECAUSE[error.code];
  if (storeError.is(error) && error.details === "sqlite_schema") return NO_TABLES;
  if (storeError.is(error)) return `The log cannot be read (${error.code}).`;
  const { code, path = "This" } = Object(error) as NodeJS.ErrnoException;
  if (code === "ENOENT") return `${path} does not exist.`;
  if (code === "EACCES") return `${path} may not be read or written by this user.`;
  return `${path} could not be read or written${code === undefined ? "" : ` (${code})`}.`;
}

const FAULTS: Readonly<Record<ChainFault, string>> = {
  changed: "was changed",
  missing: "is missing",
  inserted: "was put in",
  reordered: "stands in another place",
  rolled_back: "was there once and is gone: an older copy of the log was put back",
  unanchored: "is the first there is, and nothing vouches for what came before it",
};

/** For people. */
function verifyText(report: VerifyReport): string {
  const { verdict, head } = report;
  const lines = [
    verdict.ok
      ? "The log holds."
      : `The log does not hold: record ${verdict.seq} ${FAULTS[verdict.fault]}.`,
    `${verdict.verified} records verified.`,
    ...beginningOf(report),
    ...acknowledgedIn(verdict).map(acknowledgedText),
    ...(head === null ? [] : [`Last record that fits: ${head.seq}, hash ${head.hash}`]),
  ];
  return lines.join("\n");
}

const acknowledgedIn = (verdict: ChainVerdict): readonly AcknowledgementRecord[] =>
  verdict.ok ? (verdict.acknowledged ?? []) : [];

const acknowledgedText = (record: AcknowledgementRecord): string =>
  `An older copy of the log was put back: what stood from ${lossIn(record)} on is gone. ` +
  `Acknowledged ${new Date(record.timestamp).toISOString()}.`;

function beginningOf({ beginning, firstSeq }: VerifyReport): readonly string[] {
  if (beginning === "checkpoint") {
    return [`A checkpoint covers the records purged before ${firstSeq}.`];
  }
  if (beginning === "piece") {
    return [`This is a piece of a log: it says nothing about what came before ${firstSeq}.`];
  }
  return [];
}

/** One line for programs. */
function verifyJson({ verdict, firstSeq, head, beginning }: VerifyReport): string {
  return JSON.stringify({
    ok: verdict.ok,
    verified: verdict.verified,
    seq: verdict.ok ? null : verdict.seq,
    fault: verdict.ok ? null : verdict.fault,
    first_seq: firstSeq,
    beginning,
    head_seq: head?.seq ?? null,
    head_hash: head?.hash ?? null,
    acknowledged: acknowledgedIn(verdict).map((record) => ({
      first_lost: lossIn(record),
      noticed_at: new Date(record.noticed_at).toISOString(),
      acknowledged_at: new Date(record.timestamp).toISOString(),
    })),
  });
}
