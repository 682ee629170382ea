import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { HOOK_WAYS, type HookWay } from "../../app/contract/hook-way.ts";
import { interleave } from "../interleave.ts";
import { median } from "../statistics.ts";
import { startBuiltClient } from "../subjects/built-client.ts";
import { ClaudeRules } from "../subjects/claude-rules.ts";
import { codingDay, makeProject, type QUESTION, type Use } from "../subjects/coding-day.ts";
import { hookStart, nodeAlone, type StartedHook } from "../subjects/hook-starts.ts";
import { PersonPage } from "../subjects/person-page.ts";
import type { DayRow, SuiteParts, SuiteResult } from "./suite.ts";

const SCRIPT = fileURLToPath(new URL("../../scripts/hook.mjs", import.meta.url));
const SESSION = { session_id: "day", permission_mode: "acceptEdits" };
/** Uses between two prompts of the person's. */
const A_PROMPT = 20;
const ROUNDS = 15;
const STARTS_A_ROUND = 2;

/** A day of Claude Code's, lived with in each of the three ways to connect it. */
export async function codingDaySuite(parts: SuiteParts): Promise<SuiteResult> {
  const days: DayRow[] = [];
  for (const way of HOOK_WAYS) {
    parts.say(`A day in which Consentry is to ${way.replace("_", " ")}.`);
    days.push(await lived(parts, way));
  }
  return {
    about: "200 uses of tools of one session, answered with the widest offer of each card",
    rows: days,
    comparisons: [],
    notes: days.map(lineOf),
  };
}

const lineOf = ({ way, answers, presses, dangerous, dangerous_asked, hook_ratio }: DayRow) =>
  `${way.padEnd(16)} ${answers} answers, ${presses} presses, ${dangerous_asked} of ${dangerous} dangerous ones asked, hook ÷ empty node ${hook_ratio.toFixed(2)}`;

async function lived({ folder, say }: SuiteParts, way: HookWay): Promise<DayRow> {
  await using ending = new AsyncDisposableStack();
  const place = join(folder, way);
  const dataDir = join(place, "data");
  const project = join(place, "app");
  mkdirSync(dataDir, { recursive: true });
  makeProject(project);
  const client = await startBuiltClient(dataDir, []);
  ending.defer(() => client.close());
  const page = await PersonPage.open(client.ui);
  ending.defer(() => page.close());
  const env = { ...process.env, XDG_CONFIG_HOME: join(place, "config") };
  const agent = new ClaudeCode(project, dataDir, env);
  const first = agent.says({ hook_event_name: "PreToolUse", ...asked(FIRST) });
  await page.acceptPairing(null, way);
  const person = new Person(page);
  await first;

  const uses = codingDay(project);
  const day = await went(uses, agent, person, new ClaudeRules(project));
  for (const line of day.odd) say(line);
  return {
    way: way.replace("_", "-"),
    answers: person.answers + day.there,
    presses: person.presses + day.there,
    dangerous: uses.filter(({ isDangerous }) => isDangerous).length,
    dangerous_asked: day.dangerousAsked,
    hook_ratio: await hookRatio(agent, person, { agent: "claude-code", dataDir, env }),
  };
}

async function went(uses: readonly Use[], agent: ClaudeCode, person: Person, rules: ClaudeRules) {
  let dangerousAsked = 0;
  /** Answers in its own dialog. */
  let there = 0;
  const odd: string[] = [];
  for (const [at, use] of uses.entries()) {
    if (at % A_PROMPT === 0) await agent.says({ hook_event_name: "UserPromptSubmit" });
    person.now(use);
    const said = await agent.uses(use, rules.asks(use));
    if (use.isDangerous) {
      const isAsked = said === "own_dialog" || person.wasAsked();
      if (isAsked) dangerousAsked += 1;
      else odd.push(`  Not asked about: ${JSON.stringify(use.input)}`);
      continue;
    }
    if (said === "denied") throw new Error(`Denied: ${JSON.stringify(use.input)}`);
    if (said === "own_dialog") {
      there += 1;
      rules.allow(use);
    }
    await agent.reports(use);
  }
  return { dangerousAsked, there, odd };
}

/** Of a question that needs nobody while another waits, where this way asks about it at all. */
async function hookRatio(agent: ClaudeCode, person: Person, hook: StartedHook): Promise<number> {
  await using ending = new AsyncDisposableStack();
  person.isAway = true;
  const leaving = new AbortController();
  ending.defer(() => leaving.abort());
  for (const hook_event_name of ["PreToolUse", "PermissionRequest"]) {
    void agent.says({ hook_event_name, ...asked(WAITS) }, leaving.signal);
  }
  const quiet = agent.input({ hook_event_name: "PreToolUse", ...asked(agent.read()) });
  const subjects = [nodeAlone(), hookStart("hook", hook, quiet)];
  const measured = await interleave(subjects, { rounds: ROUNDS, calls: STARTS_A_ROUND }, () => {});
  const [node = Number.NaN, ours = Number.NaN] = measured.map(({ turns }) =>
    median(turns.flatMap(({ samples_ms }) => samples_ms)),
  );
  return Math.round((100 * ours) / node) / 100;
}

/** Brings the request to connect, and reads nothing. */
const FIRST: Use = { tool: "TodoWrite", input: { todos: [] }, isDangerous: false };

const WAITS: Use = { tool: "Bash", input: { command: "make deploy" }, isDangerous: false };

const asked = ({ tool, input }: Use) => ({ tool_name: tool, tool_input: input });

/** Claude Code as its hooks see it: the real hook's process, for each event. */
class ClaudeCode {
  readonly #project: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #uses = 0;

  constructor(project: string, dataDir: string, env: NodeJS.ProcessEnv) {
    this.#project = project;
    this.#args = [SCRIPT, "claude-code", "--data-dir", dataDir];
    this.#env = env;
  }

  input(event: object): string {
    return JSON.stringify({ ...SESSION, cwd: this.#project, ...event });
  }

  /** A read that nobody need be asked about by now. */
  read(): Use {
    const file_path = join(this.#project, "README.md");
    return { tool: "Read", input: { file_path }, isDangerous: false };
  }

  /** @param leaving when the agent ends the hook */
  async says(
    event: object,
    leaving?: AbortSignal,
  ): Promise<{ readonly code: number; readonly stdout: string }> {
    const child = spawn(process.execPath, this.#args, {
      env: this.#env,
      cwd: this.#project,
      stdio: ["pipe", "pipe", "ignore"],
    });
    leaving?.addEventListener("abort", () => void child.kill());
    child.stdin.end(this.input(event));
    const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, "exit")]);
    return { code: Number(code), stdout };
  }

  /** As it goes about a use: its hook before, then its own rules, then its own question. */
  async uses(use: Use, asks: boolean): Promise<"allowed" | "denied" | "own_dialog"> {
    this.#uses += 1;
    const before = { hook_event_name: "PreToolUse", tool_use_id: `use-${this.#uses}` };
    const { code, stdout } = await this.says({ ...before, ...asked(use) });
    if (code !== 0) return "denied";
    const told = stdout === "" ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
    if (told === "allow" || (told === null && !asks)) return "allowed";
    const own = await this.says({ hook_event_name: "PermissionRequest", ...asked(use) });
    if (own.stdout === "") return "own_dialog";
    const { behavior } = JSON.parse(own.stdout).hookSpecificOutput.decision;
    return behavior === "allow" ? "allowed" : "denied";
  }

  async reports(use: Use): Promise<void> {
    const after = { hook_event_name: "PostToolUse", tool_use_id: `use-${this.#uses}` };
    await this.says({ ...after, ...asked(use), tool_response: { stdout: "", stderr: "" } });
  }
}

/** Denies what was planted, and gives everything else for as long and as widely as its card offers. */
class Person {
  readonly #page: PersonPage;
  readonly #known = new Set<string>();
  #use: Use = FIRST;
  #isAsked = false;
  /** Answers nothing. */
  isAway = false;
  answers = 0;
  presses = 0;

  constructor(page: PersonPage) {
    this.#page = page;
    page.onCard(async (card) => {
      if (!this.isAway) await this.#answer(card);
    });
  }

  now(use: Use): void {
    this.#use = use;
    this.#isAsked = false;
  }

  wasAsked(): boolean {
    return this.#isAsked;
  }

  /** @throws Error about what was given already */
  async #answer(card: ConsentCard): Promise<void> {
    const { isDangerous, input } = this.#use;
    this.#isAsked = true;
    if (isDangerous) return this.#page.answer(card, { answer: "deny" });
    const same = JSON.stringify([card.tool_name, input]);
    if (this.#known.has(same)) throw new Error(`Asked again: ${same}`);
    const { lasts, keys, ...answer } =
      card.tool_name === "answer_question" ? firstOptions(card) : widest(card);
    if (lasts) this.#known.add(same);
    this.answers += 1;
    this.presses += keys;
    await this.#page.answer(card, answer);
  }
}

/** On the page: a click for each question, and A. */
function firstOptions({ arguments: args }: ConsentCard) {
  const questions = args.questions as typeof QUESTION.questions;
  const chosen = Object.fromEntries(
    questions.map(({ question, options }) => [question, options[0]?.label ?? ""]),
  );
  const keys = questions.length + 1;
  return { answer: "allow_once", chosen, lasts: false, keys } as const;
}

/** On the page: S for the next time, three keys to choose another width, A. */
function widest({ rule_subjects, answers }: ConsentCard) {
  const subject = rule_subjects.at(-1);
  const isQuiet = answers.includes("allow_in_conversation");
  if (subject !== undefined && (subject.kind === "command" || !isQuiet)) {
    const steps = (isQuiet ? 3 : 2) + (rule_subjects.length > 1 ? 3 : 0);
    const rule = { subject, time: "always" } as const;
    return { answer: "allow_once", rule, lasts: true, keys: steps + 1 } as const;
  }
  return isQuiet
    ? ({ answer: "allow_in_conversation", lasts: true, keys: 2 } as const)
    : ({ answer: "allow_once", lasts: false, keys: 1 } as const);
}
