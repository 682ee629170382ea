import type { JsonValue } from "../../../app/contract/json.ts";
import { type Preview, toolFailure } from "../../../app/execution/ports.ts";
import type { FileService } from "../files/file-tool.ts";

/** What a tool asked the file worker for. */
export interface AskedJob {
  readonly tool: string;
  readonly job: unknown;
  readonly drawn: boolean;
}

interface FakeParts {
  readonly ownData?: readonly string[];
  /** By tool; what has none fails with `internal_error`. */
  readonly results?: Readonly<Record<string, JsonValue>>;
  readonly preview?: Preview;
  /** Called for each job before it is answered; what it throws is the answer. */
  readonly before?: (asked: AskedJob) => void;
}

/** For tests of tools: a file service without files. It notes what it is asked for. */
export function fakeFiles(parts: FakeParts = {}) {
  const { ownData = [], results = {}, preview, before = () => {} } = parts;
  const asked: AskedJob[] = [];
  const note = (one: AskedJob): void => {
    asked.push(one);
    before(one);
  };
  const files: FileService = {
    ownData,
    homeTrash: "/home/me/Trash",
    async run({ name }, job, _by, report) {
      note({ tool: name, job, drawn: false });
      report?.(7);
      const result = results[name];
      if (result === undefined) throw toolFailure("internal_error");
      return result as never;
    },
    async draw({ name }, job) {
      note({ tool: name, job, drawn: true });
      if (preview === undefined) throw toolFailure("internal_error");
      return preview;
    },
    close: async () => {},
  };
  return { files, asked, jobs: () => asked.map(({ job }) => job) };
}
