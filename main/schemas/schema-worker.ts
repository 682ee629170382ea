import { type MessagePort, parentPort } from "node:worker_threads";
import type { JsonObject } from "../../app/contract/json.ts";
import {
  type CompiledSchema,
  compileSchema,
  schemaRefusedError,
} from "../../app/contract/json-schema/compile-schema.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/schema-violation.ts";
import { CompiledCache } from "./compiled-cache.ts";

/** Everything travels as JSON text: the worker parses, so nothing hostile is cloned structurally. */
export interface Job {
  readonly schemaText: string;
  /** Null: only tell what keeps the schema from being used. */
  readonly argumentsText: string | null;
}

export interface CheckProblem {
  /** RFC 6901 JSON Pointer into the schema. */
  readonly pointer: string;
  readonly code: string;
}

export type Answer =
  | "valid"
  | { readonly violation: SchemaViolation }
  | "unusable"
  | readonly CheckProblem[];

/**
 * What a worker sends, with the processor time it has had until then, in milliseconds. When it
 * yields, the jobs not answered yet have not begun.
 */
export type SentByWorker = readonly [answer: Answer | "ready" | "yielded", cpuMs: number];

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
  const cache = new CompiledCache<CompiledSchema | undefined>(CACHE_MAX_SCHEMAS, CACHE_MAX_SIZE);
  const send = (answer: SentByWorker[0]): void => {
    const { user, system } = process.threadCpuUsage();
    port.postMessage([answer, (user + system) / 1_000] satisfies SentByWorker);
  };
  port.on("message", (jobs: readonly Job[]) => {
    const began = performance.now();
    for (const [index, { schemaText, argumentsText }] of jobs.entries()) {
      if (index > 0 && performance.now() - began > SLICE_MS) return send("yielded");
      send(
        argumentsText === null
          ? problemsOf(schemaText)
          : decide(cache.get(schemaText, compiledOf), argumentsText),
      );
    }
  });
  // The first compilation is several times slower than the next: nobody's call pays for it.
  compileSchema({ type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: {} } });
  send("ready");
}

function decide(compiled: CompiledSchema | undefined, argumentsText: string): Answer {
  try {
    if (compiled === undefined) return "unusable";
    const violation = compiled(JSON.parse(argumentsText));
    return violation === undefined ? "valid" : { violation };
  } catch {
    // A schema that never ends on this value, or a pattern past the engine's own limits. Whatever
    // it was, the call is not let through.
    return "unusable";
  }
}

function compiledOf(schemaText: string): CompiledSchema | undefined {
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
    if (schemaRefusedError.is(error)) return error.details ?? [];
    return [{ pointer: "", code: "schema_unusable" }];
  }
}

/** The host wrote this text from a schema object it had read strictly. */
const parseSchema = (text: string): JsonObject => JSON.parse(text);

if (parentPort !== null) serve(parentPort);
