import { type MessagePort, parentPort } from "node:worker_threads";
import type { JsonObject } from "../../app/contract/json.ts";
import {
  compileSchema,
  SchemaRefusedError,
} from "../../app/contract/json-schema/compile-schema.ts";
import { type Compiled, CompiledCache } from "./compiled-cache.ts";
import type { CheckProblem, FromWorker, Job, SentByWorker, ToWorker } from "./schema-messages.ts";

/** Compiled schemas kept per worker, and the total UTF-16 units of their texts. */
const CACHE_MAX_SCHEMAS = 256;
const CACHE_MAX_SIZE = 2_097_152;
/** After this many milliseconds of one owner's jobs the others have their turn. */
const SLICE_MS = 10;

/**
 * The thread that schemas written by agents run in (architecture.md, "Processes and trust"). It
 * holds no secret, opens nothing, and may be killed at any instruction.
 */
function serve(port: MessagePort): void {
  const cache = new CompiledCache(CACHE_MAX_SCHEMAS, CACHE_MAX_SIZE);
  const answer = (message: FromWorker): void => {
    const { user, system } = process.threadCpuUsage();
    const sent: SentByWorker = [message, (user + system) / 1_000];
    port.postMessage(sent);
  };
  port.on("message", (jobs: ToWorker) => {
    const began = performance.now();
    for (const [index, job] of jobs.entries()) {
      if (index > 0 && performance.now() - began > SLICE_MS) {
        answer({ kind: "yielded" });
        return;
      }
      answer(
        job.kind === "check"
          ? { kind: "checked", problems: problemsOf(job.schemaText) }
          : decide(job, cache),
      );
    }
  });
  // The first compilation is several times slower than the next: nobody's call pays for it.
  compileSchema({ type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } });
  answer({ kind: "ready" });
}

type ValidateJob = Extract<Job, { kind: "validate" }>;

function decide(job: ValidateJob, cache: CompiledCache): FromWorker {
  const { cacheKey, schemaText, argumentsText } = job;
  if (schemaText !== undefined) cache.set(cacheKey, compiledOf(schemaText), schemaText.length);
  const entry = cache.get(cacheKey);
  if (entry === undefined) return { kind: "missing" };
  if (entry.compiled === undefined) return { kind: "unusable" };
  try {
    const violations = entry.compiled.validate(JSON.parse(argumentsText));
    return violations.length === 0 ? { kind: "valid" } : { kind: "invalid", violations };
  } catch {
    // A schema that never ends on this value, or a pattern past the engine's own limits. Whatever
    // it was, the call is not let through.
    return { kind: "unusable" };
  }
}

function compiledOf(schemaText: string): Compiled {
  try {
    return compileSchema(parseSchema(schemaText));
  } catch {
    return undefined;
  }
}

function problemsOf(schemaText: string): readonly CheckProblem[] {
  try {
    compileSchema(parseSchema(schemaText));
    return [];
  } catch (error) {
    if (error instanceof SchemaRefusedError) return error.problems;
    return [{ pointer: "", code: "schema_unusable" }];
  }
}

/** The host wrote this text from a schema object it had read strictly. */
const parseSchema = (text: string): JsonObject => JSON.parse(text);

if (parentPort !== null) serve(parentPort);
