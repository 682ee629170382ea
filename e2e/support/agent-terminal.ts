import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import {
  type ScriptedModel,
  scriptedModel,
} from "../../agent-host/scripted-model/scripted-model.ts";
import { realAgent } from "./real-agent.ts";
import type { Stage } from "./stage.ts";

type Agent = "claude" | "codex";
type Call = readonly [tool: string, input: object];

/** What a terminal is told between the letters. */
const CONTROL = /\p{Cc}(?:\[[0-9;?<>=]*[a-zA-Z]|\][^\p{Cc}]*\p{Cc}\\?|[()][A-Z0-9]|[=>78])|\s+/gu;
const START_MS = 60_000;

/** Whether a command can be given a terminal of its own here: util-linux has a program for that. */
export function hasTerminals(): boolean {
  try {
    return execFileSync("script", ["--version"]).includes("util-linux");
  } catch {
    return false;
  }
}

/** A real agent as a person works with it: in a terminal, with a model that makes these calls in turn. */
export class AgentTerminal implements AsyncDisposable {
  readonly folder: string;
  readonly #model: ScriptedModel;
  readonly #child: ChildProcess;
  #said = "";

  private constructor(model: ScriptedModel, child: ChildProcess, folder: string) {
    this.#model = model;
    this.#child = child;
    this.folder = folder;
    const hear = (part: Buffer) => {
      this.#said += part.toString();
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
  }

  static async start(
    stage: Stage,
    agent: Agent,
    calls: readonly Call[],
    flags: readonly string[] = [],
  ): Promise<AgentTerminal> {
    const left = [...calls];
    const model = await scriptedModel(({ tools, results, user }) => {
      const next = tools.length > 0 && user.includes("Go on.") ? left.shift() : undefined;
      if (next === undefined) return { text: `Told: ${results.map(({ text }) => text).join(" ")}` };
      return { calls: [{ name: next[0], input: next[1] }] };
    });
    const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
    const own = agent === "claude" ? claudeAt : codexAt;
    const { words, env } = own(stage.home, folder, model.url);
    const line = [realAgent(agent) ?? "", ...words, ...flags, "Go on."].map(quoted).join(" ");
    const child = spawn("script", ["-qfec", `stty rows 50 cols 150; exec ${line}`, "/dev/null"], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", HOME: stage.home, TERM: "xterm-256color", ...env },
    });
    return new AgentTerminal(model, child, folder);
  }

  /** Until it has written this, whatever the gaps between its words, since somebody typed last. */
  async says(text: string): Promise<void> {
    const wanted = text.replaceAll(/\s/g, "");
    const said = () => this.#said.replaceAll(CONTROL, "");
    await expect.poll(said, { timeout: START_MS }).toContain(wanted);
  }

  type(keys: string): void {
    this.#said = "";
    this.#child.stdin?.write(keys);
  }

  /** The agent itself, so that it can tell nobody. */
  kill(): void {
    const { pid } = this.#child;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
    for (const each of children.trim().split(" ")) process.kill(Number(each), "SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin?.destroy();
    this.#child.kill("SIGKILL");
    await this.#model[Symbol.asyncDispose]();
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** As after its first start, in a folder that the person trusts. */
function claudeAt(home: string, folder: string, url: string) {
  const settings = {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: ["sk-scripted"], rejected: [] },
    projects: { [folder]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  };
  writeFileSync(join(home, ".claude.json"), JSON.stringify(settings));
  const env = {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  return { words: ["--model", "claude-sonnet-4-5"], env };
}

function codexAt(home: string, folder: string, url: string) {
  const settings = `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
[projects."${folder}"]
trust_level = "trusted"
`;
  mkdirSync(join(home, ".codex"), { recursive: true });
  writeFileSync(join(home, ".codex/config.toml"), settings);
  const words = ["--dangerously-bypass-hook-trust", "--ask-for-approval", "on-request"];
  return { words: [...words, "--sandbox", "workspace-write"], env: {} };
}
