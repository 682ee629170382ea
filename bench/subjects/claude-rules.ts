import { isInFolder } from "../../app/contract/folder-path.ts";
import type { Use } from "./coding-day.ts";

/** Lines that Claude Code runs unasked because they only read. */
const READS = /^(?:ls|cat|head|tail|wc|rg|grep|git (?:status|diff|log|show)(?! -c))\b/;
const INNER = /[`$<>]|\b(?:--output|-exec)\b/;
/** In "accept edits", of folders in the project. */
const MAKES = /^mkdir -p [a-z/]+$/;
/** Files that no mode but the one without permissions changes unasked. */
const PROTECTED = /\/\.(?:git|claude)\//;
/** The text of a commit, as Claude Code writes it: its own rules look through it. */
const HEREDOC = /"\$\(cat <<'EOF'\n[\s\S]*?\nEOF\n\)"/g;

/**
 * What a week of "Yes, and don't ask again" leaves in the settings of a person who works on one project:
 * `Bash(npm test:*)` and so on, and nothing that a hook's user would have to be told to add.
 */
const ALLOWED: readonly string[] = [
  ...["npm test", "npm run lint", "npm run build", "git add", "git commit", "git push"],
];

/**
 * Claude Code's own rules, as far as a day needs them: what the settings allow, what the person told its dialog not to
 * ask again, and its mode "accept edits", in which it edits in the project and makes folders there unasked. The real
 * one, 2.1.332, was given this day's commands with these settings in this mode, and asked about the same of them.
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
        return !this.#isInside(file_path) || PROTECTED.test(String(file_path));
      default:
        return !this.#allowed.has(keyOf(use));
    }
  }

  /** The widest answer of its own dialog. */
  allow(use: Use): void {
    const { command } = use.input;
    if (use.tool === "Bash") {
      for (const part of this.#partsOf(String(command))) this.#allowed.add(beginningOf(part));
    } else if (use.tool !== "ExitPlanMode" && use.tool !== "AskUserQuestion") {
      this.#allowed.add(keyOf(use));
    }
  }

  #isAsked(part: string): boolean {
    if (INNER.test(part.replace(/>&1|>\/dev\/null/g, ""))) return true;
    return !READS.test(part) && !MAKES.test(part) && !this.#allowed.has(beginningOf(part));
  }

  #partsOf(line: string): readonly string[] {
    return line
      .replaceAll(HEREDOC, "text")
      .split(/&&|\|\||[;|]/)
      .map((part) => part.trim());
  }

  #isInside(path: unknown): boolean {
    return typeof path === "string" && isInFolder(this.#folder, path);
  }
}

/** Two words, as its dialog offers them. */
const beginningOf = (part: string): string => {
  const words = part.split(/\s+/);
  return words.slice(0, words[0] === "npm" && words[1] === "run" ? 3 : 2).join(" ");
};

const keyOf = ({ tool, input }: Use): string =>
  tool === "WebFetch" ? `${tool} ${new URL(String(input.url)).host}` : tool;
