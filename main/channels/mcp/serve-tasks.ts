import {
  fromJsonSchema,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Result,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type AgentPort, unavailableIn } from "./agent-port.ts";
import { toolResult, unavailableText } from "./answer-words.ts";
import { waitingOf } from "./serve-calls.ts";
import { formOf, requireTasks, taskFields } from "./task-support.ts";

const OF_TASK = {
  params: fromJsonSchema<{ taskId: string }>({
    type: "object",
    properties: { taskId: { type: "string" } },
    required: ["taskId"],
  }),
};
const OF_LIST = {
  params: fromJsonSchema<{ cursor?: unknown }>({ type: "object" }),
};

export type TaskPort = Pick<AgentPort, "task" | "tasks" | "cancelTask">;

/** The requests about tasks, for both lines of the protocol: a task is a parked call, its id the ticket. */
export function serveTasks(server: Server, port: TaskPort): void {
  const serve = (
    method: string,
    answer: (taskId: string, ctx: ServerContext) => Promise<Result>,
  ): void =>
    server.setRequestHandler(method, OF_TASK, async ({ taskId }, ctx) => {
      requireTasks(ctx);
      return present(() => answer(taskId, ctx));
    });

  serve("tasks/get", async (taskId, ctx) => {
    const form = formOf(ctx);
    const { task, answer } = known(await port.task(taskId, null));
    const hasResult = form === "extension" && answer !== null && task.status !== "cancelled";
    return { ...taskFields(task, form), ...(hasResult ? { result: toolResult(answer) } : {}) };
  });
  serve("tasks/result", async (taskId, ctx) => {
    const waiting = waitingOf(ctx);
    for (;;) {
      const { answer } = known(await port.task(taskId, waiting));
      if (answer !== null) return withTask(toolResult(answer), taskId);
      ctx.mcpReq.signal.throwIfAborted();
    }
  });
  serve("tasks/cancel", async (taskId, ctx) => {
    const form = formOf(ctx);
    const { task, was_over } = known(await port.cancelTask(taskId));
    if (form === "extension") return {};
    if (was_over || task.status !== "cancelled") throw invalid("The task is over already.");
    return taskFields(task, form);
  });
  // Nothing is ever asked of the client: there is nothing that such an answer could belong to.
  serve("tasks/update", async (taskId) => {
    known(await port.task(taskId, null));
    return {};
  });
  server.setRequestHandler("tasks/list", OF_LIST, async ({ cursor }) => {
    if (cursor !== undefined) throw invalid("There is no such page.");
    const tasks = await present(() => port.tasks());
    return { tasks: tasks.map((task) => taskFields(task, "2025-11-25")) };
  });
}

const withTask = (result: Result, taskId: string): Result => ({
  ...result,
  _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } },
});

function known<Answer>(answer: Answer | null): Answer {
  if (answer === null) throw invalid("There is no such task.");
  return answer;
}

const invalid = (text: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, text);

/** Where the agent cannot be reached, or is not paired, there is no task either. */
async function present<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    const why = unavailableIn(error);
    if (why === null) throw error;
    throw new ProtocolError(ProtocolErrorCode.InternalError, unavailableText(why).text);
  }
}
