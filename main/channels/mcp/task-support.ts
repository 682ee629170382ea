import {
  CLIENT_CAPABILITIES_META_KEY,
  MissingRequiredClientCapabilityError,
  type Result,
  type ServerCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { TaskRequest } from "./agent-port.ts";
import { WAITING } from "./answer-words.ts";
import type { AgentTask } from "./call-answer.ts";

/** 2025-11-25 has tasks of its own; 2026-07-28 has an extension for them, with other names and rules. */
export type TaskForm = "2025-11-25" | "extension";

const EXTENSION = "io.modelcontextprotocol/tasks";
const POLL_MS = 2_000;

/** The library sends each line of the protocol only what belongs to it. */
export const TASK_CAPABILITIES: ServerCapabilities = {
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  extensions: { [EXTENSION]: {} },
};

const knowsExtension = guardOf(
  Type.Object({ extensions: Type.Object({ [EXTENSION]: Type.Object({}) }) }),
);
const hasTask = guardOf(
  Type.Object({ task: Type.Object({ ttl: Type.Optional(Type.Number({ minimum: 0 })) }) }),
);

/** The newer line of the protocol says everything with each request. */
export const formOf = ({ mcpReq }: ServerContext): TaskForm =>
  mcpReq.envelope === undefined ? "2025-11-25" : "extension";

/** How a client wants its call to become a task; undefined: it knows no tasks, or wants none. */
export function taskRequestOf(params: unknown, ctx: ServerContext): TaskRequest | undefined {
  if (formOf(ctx) === "extension") {
    return declaresExtension(ctx) ? { at_once: false, ttl_ms: null } : undefined;
  }
  return hasTask(params) ? { at_once: true, ttl_ms: params.task.ttl ?? null } : undefined;
}

const declaresExtension = ({ mcpReq }: ServerContext): boolean =>
  knowsExtension(Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY));

/** @throws ProtocolError when a client of the newer line has not said that it knows tasks */
export function requireTasks(ctx: ServerContext): void {
  if (formOf(ctx) === "2025-11-25" || declaresExtension(ctx)) return;
  const requiredCapabilities = { extensions: { [EXTENSION]: {} } };
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities });
}

export function taskFields(task: AgentTask, form: TaskForm): JsonObject {
  const { ticket, status, waits_for, created_at, updated_at, ttl_ms } = task;
  return {
    taskId: ticket,
    status: STATUS[form][status],
    ...(status === "working" ? { statusMessage: WAITING[waits_for] } : {}),
    createdAt: new Date(created_at).toISOString(),
    lastUpdatedAt: new Date(updated_at).toISOString(),
    ...(form === "extension"
      ? { ttlMs: ttl_ms, pollIntervalMs: POLL_MS }
      : { ttl: ttl_ms, pollInterval: POLL_MS }),
  };
}

/**
 * Never `input_required`: the person answers in Consentry, and nothing is asked of the client. In the
 * extension only what is no tool result has failed.
 */
const STATUS: Readonly<Record<TaskForm, Readonly<Record<AgentTask["status"], string>>>> = {
  "2025-11-25": {
    working: "working",
    ok: "completed",
    refused: "failed",
    cancelled: "cancelled",
  },
  extension: {
    working: "working",
    ok: "completed",
    refused: "completed",
    cancelled: "cancelled",
  },
};

/** The answer to a call that became a task. */
export const createdTask = (task: AgentTask, form: TaskForm): Result =>
  form === "extension"
    ? { resultType: "task", ...taskFields(task, form) }
    : { task: taskFields(task, form) };
