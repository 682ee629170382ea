import { join } from "node:path";
import { isInFolder } from "../../app/contract/folder-path.ts";
import type { Use } from "./coding-day.ts";

/** Lines that Claude Code runs unasked because they only read. */
const READS = /^(?:ls|cat|head|tail|wc|rg|grep|git (?:status|diff|log|show)(?! -c))\b/;
const INNER = /[`$<>]|\b(?:--output|-exec)\b/;

/** What the person has in their settings, as most have after a week. */
const ALLOWED: readonly string[] = [
  ...["npm test", "npm run lint", "npm run build", "npx vitest", "git add", "git commit"],
  ...["Edit", "mcp__tracker__get_issue"],
];

/**
 * Claude Code's own rules, as far as a day needs them: what they allow, and what the person told its dialog not to
 * ask again. A model written by hand: of the real one only a reading command and an edit were tried
 * (e2e/real-agents.spec.ts).
 */
export class ClaudeRules {
  readonly #folder: string;
  readonly #allowed = new Set(ALLOWED);

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether its own dialog comes, unless a hook answers. */
  asks(use: Use): boolean {
    const { file_path, path, command } = use.input;
    switch (use.tool) {
      case "Read":
      case "Grep":
      case "Glob":
        return !this.#isInside(file_path ?? path ?? this.#folder);
      case "Bash":
        return this.#partsOf(String(command)).some((part) => this.#isAsked(part));
      case "Edit":
      case "Write":
        return !(this.#allowed.has("Edit") && this.#isSource(file_path));
      default:
        return !this.#allowed.has(keyOf(use));
    }
  }

  /** The widest answer of its own dialog. */
  allow(use: Use): void {
    const { command } = use.input;
    if (use.tool === "Bash") {
      for (const part of this.#partsOf(String(command))) this.#allowed.add(beginningOf(part));
    } else if (use.tool === "Edit" || use.tool === "Write") this.#allowed.add("Edit");
    else if (use.tool !== "ExitPlanMode" && use.tool !== "AskUserQuestion") {
      this.#allowed.add(keyOf(use));
    }
  }

  #isAsked(part: string): boolean {
    if (INNER.test(part.replace(/>&1|>\/dev\/null/g, ""))) return true;
    return !READS.test(part) && !this.#allowed.has(beginningOf(part));
  }

  #partsOf(line: string): readonly string[] {
    return line.split(/&&|\|\||[;|]/).map((part) => part.trim());
  }

  #isInside(path: unknown): boolean {
    return typeof path === "string" && isInFolder(this.#folder, path);
  }

  /** `Edit(/src/**)` */
  #isSource(path: unknown): boolean {
    return typeof path === "string" && isInFolder(join(this.#folder, "src"), path);
  }
}

/** Two words, as its dialog offers them. */
const beginningOf = (part: string): string => {
  const words = part.split(/\s+/);
  return words.slice(0, words[0] === "npm" && words[1] === "run" ? 3 : 2).join(" ");
};

const keyOf = ({ tool, input }: Use): string =>
  tool === "WebFetch" ? `${tool} ${new URL(String(input.url)).host}` : tool;
