// The agent behind "Connect a model": an ordinary agent on the hub, whose words a model writes.
import {
  type ModelOrder,
  type ModelWords,
  NOT_ADDED_EXIT,
} from "../../app/contract/connected-model.ts";
import { PairingError } from "../../sdk/index.ts";
import { modelTools } from "../../sdk/models/index.ts";
import { isForgotten, joinHub } from "./join-hub.ts";
import { ModelChat } from "./model-chat.ts";
import { orderedModel } from "./ordered-model.ts";
import { type ParentLine, parentLine } from "./parent-line.ts";

async function run(order: ModelOrder, { listen, report, ended }: ParentLine): Promise<void> {
  let chat: ModelChat | undefined;
  const words: ModelWords = { ...order.words };
  listen((notice) => {
    if (notice.event === "words") Object.assign(words, notice.words);
    else chat?.forget(notice.conversation_id);
  });
  const onCode = (code: string) => report({ event: "code", code });
  const { agent, paired, isBack } = await joinHub(order, onCode, ended);
  ended.throwIfAborted();
  ended.addEventListener("abort", () => end(ended.reason));
  // The line to the program would keep this process alive.
  agent.addStatusHandler((status, cause) => {
    if (status === "closed") end(cause);
  });
  const begun = new ModelChat({
    agent,
    model: await orderedModel(order, words),
    tools: modelTools(paired.manifest),
    words,
    // A script knows nothing of what was said anyway.
    isBack: isBack && order.provider !== "demonstration",
    ended: (fault) => report(fault === null ? { event: "answered" } : { event: "fault", fault }),
  });
  chat = begun;
  agent.addMessageHandler((message) => begun.answer(message));
  report({ event: "connected", conversation_id: paired.conversationId });
}

/** With a code alone: what an error says may hold what nobody should read. */
function end(error: unknown): never {
  if (parent.ended.aborted) process.exit(0);
  const isRefused = error instanceof PairingError && /^(?:refused|expired)$/.test(error.code);
  process.exit(isRefused || isForgotten(error) ? NOT_ADDED_EXIT : 1);
}

const parent = parentLine();
try {
  await run(await parent.order, parent);
} catch (error) {
  end(error);
}
