import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { startConsentry } from "../subjects/consentry.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import { startMcpRead } from "../subjects/mcp-server.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

const FILE_BYTES = 4_096;
const PEER = "MCP server-filesystem, stdio";
const GATEWAY = "The same behind mcp-proxy, HTTP";

/**
 * A silent `read_file` of the official MCP client, over stdio and over HTTP, next to a bare server and to one
 * behind a gateway that only passes on.
 */
export async function mcpSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, peers, folder, ending, say } = parts;
  if (peers.kind === "missing") {
    return { about: "nothing", rows: [], comparisons: [], notes: [`No client: ${peers.why}`] };
  }
  const file = textFileIn(mkdtempSync(join(folder, "files-")), FILE_BYTES);
  const subjects = new Subjects(ending);
  const modes = [1, 32] as const;
  const start = (kind: "stdio" | "http") => {
    const dataDir = join(folder, kind);
    const agent = ["consentry-mcp.mjs", kind, dataDir] as const;
    const name = `Consentry, MCP over ${kind}`;
    return startConsentry({ name, modes, dataDir, file, profile: flags.profile, agent });
  };
  const stdio = await subjects.add(start("stdio"));
  const http = await subjects.add(start("http"));
  await subjects.add(startMcpRead(PEER, modes, file));
  // A gateway stands between client and tool, as Consentry does.
  const args = [file.folder, file.path, String(file.bytes)];
  await subjects.add(startMeasured({ name: GATEWAY, modes, entry: "gateway-client.mjs", args }));
  const measured = await interleave(subjects.all, flags, say);
  const rows = reportOf(measured, { ours: stdio, peer: PEER });
  const overHttp = reportOf(measured, { ours: http, peer: PEER });
  return {
    about: `${flags.rounds} rounds of ${flags.calls} calls, after a warm-up`,
    rows: rows.map((row, at) => ({ ...row, ratio: row.ratio ?? overHttp[at]?.ratio ?? null })),
    comparisons: compare(measured, [
      [stdio, GATEWAY],
      [http, GATEWAY],
    ]),
    notes: [],
  };
}
