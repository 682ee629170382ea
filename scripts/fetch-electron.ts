import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What `electron-bytes.ts` reports from inside the installer. */
export type InstallerReport =
  | { readonly got: number; readonly total: number | null }
  | { readonly refused: string };

/** Milliseconds without a byte after which the download is given up. */
const STALL_MS = 20_000;

/**
 * Runs the `electron` package's own installer, which downloads the binary (from `ELECTRON_MIRROR`, if set), checks
 * it and unpacks it. A download that breaks off is tried once more.
 * @param root the checkout, whose `node_modules` is used
 * @param say gets a line of progress at every tenth
 * @returns null once it is installed, otherwise why not, as the end of a sentence
 */
export async function fetchElectron(
  root: URL,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
  stallMs = STALL_MS,
): Promise<string | null> {
  const first = await runInstaller(root, env, say, stallMs);
  if (first === null || first.final) return first?.why ?? null;
  say(`Fetching Electron once more: ${first.why}.`);
  return (await runInstaller(root, env, say, stallMs))?.why ?? null;
}

interface Failure {
  readonly why: string;
  /** Trying again at once would end the same way. */
  readonly final: boolean;
}

function runInstaller(
  root: URL,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
  stallMs: number,
): Promise<Failure | null> {
  const watch = new URL("scripts/electron-bytes.ts", import.meta.resolve("../package.json"));
  const installer = fileURLToPath(new URL("node_modules/electron/install.js", root));
  const { promise, resolve } = Promise.withResolvers<Failure | null>();
  const child = spawn(process.execPath, ["--import", watch.href, installer], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    env: { NODE_USE_ENV_PROXY: "1", ...env },
  });
  const fail = (why: string, final: boolean): void => {
    resolve({ why, final });
    child.kill();
  };
  const stalled = (): void => fail(`no data came for ${Math.round(stallMs / 1000)} s`, true);
  let timer = setTimeout(stalled, stallMs);
  let tenth = 0;
  child.on("message", (report: InstallerReport) => {
    clearTimeout(timer);
    if ("refused" in report) return fail(report.refused, true);
    const { got, total } = report;
    // What follows the last byte, checking and unpacking, is no download.
    if (got === total) say("Unpacking Electron.");
    else timer = setTimeout(stalled, stallMs);
    const now = total === null ? 0 : Math.floor((got / total) * 10);
    if (now > tenth && got !== total)
      say(`Fetching Electron: ${now * 10} % of ${megabytes(total)}.`);
    tenth = now;
  });
  child.on("error", (error) => fail(error.message, true));
  child.on("exit", (code) => {
    clearTimeout(timer);
    resolve(code === 0 ? null : { why: "the download broke off", final: false });
  });
  return promise;
}

const megabytes = (bytes: number | null): string => `${Math.round((bytes ?? 0) / 1e6)} MB`;
