import {
  COMMAND_MAX_OUTPUT_BYTES,
  type RunCommandResult,
  runCommand,
} from "../../app/contract/tools/run-command.ts";
import { type Tool, toolFailure } from "../../app/execution/ports.ts";
import { CommandRunner, type CommandRunnerOptions } from "./command/command-runner.ts";
import { streamText } from "./command/output.ts";
import type { Ended } from "./command/run-planned.ts";
import { defineTool } from "./define-tool.ts";
import { followingLinks } from "./files/paths/folder-links.ts";
import { folderPreflight, isFolder } from "./files/paths/folder-preflight.ts";
import { platformCall } from "./platform/platform-services.ts";

export interface RunCommandOptions extends CommandRunnerOptions {
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number;
  /** How long processes that a command left behind may still write, in milliseconds. */
  readonly graceMs?: number;
}

/** `run_command` (contract §4). */
export function runCommandTool(options: RunCommandOptions): Tool {
  const { now = () => performance.now(), graceMs = 200 } = options;
  const runner = new CommandRunner(options);
  const tool = defineTool(runCommand, {
    preflight: ({ directory }, { roots }) => {
      if (runner.isOurs(directory)) return { kind: "refuse", word: "outside_roots" };
      const folders = roots.filter(isFolder);
      return folderPreflight(directory, folders, runner.machine.platform, "itself", "read_write");
    },
    async preview(args, { roots }) {
      const { command, sandbox, network, seen } = await runner.look(args, roots.filter(isFolder));
      await runner.requireDirectory(args.directory);
      const { program } = command;
      return {
        shown: { kind: "command", program, sandbox: sandbox?.kind ?? null, network },
        seen,
      };
    },
    async run(wanted, { roots, seen, signal, progress }) {
      const folders = roots.filter(isFolder);
      // Trying a sandbox may take seconds, but the command is not run.
      const look = () => runner.look(wanted, folders);
      const prospect = await platformCall("io_error", signal, look);
      if (seen !== null && seen !== prospect.seen) throw toolFailure("changed_since_shown");
      const began = now();
      const ended = await runner.run(wanted, folders, prospect, {
        signal,
        graceMs,
        maxBytes: COMMAND_MAX_OUTPUT_BYTES,
        progress: (done, tail) =>
          progress({ done, total: null, unit: "bytes", tail: () => tail.lines() }),
      });
      return resultOf(ended, prospect.sandbox?.kind ?? null, Math.round(now() - began));
    },
  });
  return followingLinks(tool, runner.machine.platform);
}

function resultOf(
  { exit_code, signal, stdout, stderr }: Ended,
  sandbox: RunCommandResult["sandbox"],
  duration_ms: number,
): RunCommandResult {
  const out = streamText(stdout);
  const err = streamText(stderr);
  return {
    exit_code,
    signal,
    stdout: out.text,
    stdout_encoding: out.encoding,
    stderr: err.text,
    stderr_encoding: err.encoding,
    duration_ms,
    sandbox,
  };
}
