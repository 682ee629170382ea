import type { Flags } from "../flags.ts";
import type { Peers } from "../install-peers.ts";
import type { Comparison, ReportRow } from "../report.ts";
import type { Subject } from "../subjects/subject.ts";

/** What a suite receives: its own folder, and a place for what must be closed. */
export interface SuiteParts {
  readonly flags: Flags;
  readonly peers: Peers;
  readonly folder: string;
  readonly ending: AsyncDisposableStack;
  readonly say: (line: string) => void;
}

/** What a day asks of the person, in one way to connect an agent. */
export interface DayRow {
  readonly way: string;
  /** To what was not planted, on a card or in Claude Code's own dialog. */
  readonly answers: number;
  /** Keys for these answers. */
  readonly presses: number;
  readonly dangerous: number;
  /** Planted ones that the person was asked about, on a card or in Claude Code's own dialog. */
  readonly dangerous_asked: number;
  /** The median of a question that needs nobody, while another waits, in those of an empty `node`. */
  readonly hook_ratio: number;
}

export interface SuiteResult {
  /** What one round consisted of. */
  readonly about: string;
  readonly rows: readonly ReportRow[] | readonly DayRow[];
  readonly comparisons: readonly Comparison[];
  /** What was left out, and why. */
  readonly notes: readonly string[];
}

/** Started subjects, in order; all are closed at the end. */
export class Subjects {
  readonly all: Subject[] = [];
  readonly #ending: AsyncDisposableStack;

  constructor(ending: AsyncDisposableStack) {
    this.#ending = ending;
  }

  /** Resolves to its name. */
  async add(starting: Promise<Subject>): Promise<string> {
    const subject = await starting;
    this.#ending.defer(() => subject.close());
    this.all.push(subject);
    return subject.name;
  }
}
