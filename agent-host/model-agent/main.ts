import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { guardOf } from "../../app/contract/checked.ts";
import {
  ModelNotice,
  ModelOrder,
  type ModelReport,
  type ModelWords,
  NOT_ADDED_EXIT,
} from "../../app/contract/connected-model.ts";
import { KeyJournal } from "../../runtime/files/key-journal.ts";
import { AgentError, HasheeAgent } from "../../sdk/index.ts";
import { modelTools } from "../../sdk/models/index.ts";
import { type PairedAgent, readAgent, writeAgent } from "../paired-agent.ts";
import { orderedModel } from "./demonstration.ts";
import { manifest } from "./manifest.ts";
import { ModelChat } from "./model-chat.ts";

// The agent behind "Connect a model": an ordinary agent on the hub, whose words a model writes.

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
  const isRefused = error instanceof AgentError && /^(?:refused|expired)$/.test(error.code);
  process.exit(isRefused || isForgotten(error) ? NOT_ADDED_EXIT : 1);
}

interface Joined {
  readonly agent: HasheeAgent;
  readonly paired: PairedAgent;
  /** It was here before. */
  readonly isBack: boolean;
}

/**
 * Comes back as the agent that the person has added, or asks to be added.
 * @param signal aborts both, and withdraws what the person was asked
 * @throws AgentError, AgentError
 */
async function joinHub(
  { folder, hubUrl, userId, name }: ModelOrder,
  onCode: (code: string) => void,
  signal: AbortSignal,
): Promise<Joined> {
  const keyStore = new KeyJournal(join(folder, "keys"));
  const known = await readAgent(folder);
  if (known !== null) {
    const paired = { ...known, baseUrl: hubUrl };
    try {
      return {
        agent: await HasheeAgent.init({ ...paired, keyStore, signal }),
        paired,
        isBack: true,
      };
    } catch (error) {
      if (!isForgotten(error)) throw error;
    }
  }
  // Keys of an agent that is no more are of no use to a new one.
  await keyStore.close();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { agent, credentials } = await HasheeAgent.pair({
    name,
    manifest,
    baseUrl: hubUrl,
    userId,
    keyStore: new KeyJournal(join(folder, "keys")),
    onCode,
    signal,
  });
  const { agentId, token, conversationId } = credentials;
  const paired = { baseUrl: hubUrl, agentId, token, conversationId, manifest };
  await writeAgent(folder, paired);
  return { agent, paired, isBack: false };
}

/** The person has removed the agent. */
const isForgotten = (error: unknown): boolean =>
  error instanceof AgentError && (error.code === "agent_removed" || error.code === "invalid_token");

/** The line to the program that started this process; nobody else can read it. */
interface ParentLine {
  /** The first that was told; what is none is left aside. */
  readonly order: Promise<ModelOrder>;
  /** Aborts when that program stops this process, or is gone. */
  readonly ended: AbortSignal;
  /** Hears what it is told from now on. */
  listen(heard: (notice: ModelNotice) => void): void;
  report(report: ModelReport): void;
}

/** Of Electron's utility processes, where it takes the place of Node's own channel. */
interface ParentPort {
  on(event: "message", listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const isOrder = guardOf(ModelOrder);
const isNotice = guardOf(ModelNotice);

function parentLine(): ParentLine {
  const { promise: order, resolve, reject } = Promise.withResolvers<ModelOrder>();
  const end = new AbortController();
  const ended = end.signal;
  const stop = (): void => {
    end.abort();
    reject(ended.reason);
  };
  process.once("SIGTERM", stop);
  let noticed: (notice: ModelNotice) => void = () => {};
  const hear = (message: unknown): void => {
    if (isOrder(message)) resolve(message);
    else if (isNotice(message)) noticed(message);
  };
  const listen: ParentLine["listen"] = (heard) => {
    noticed = heard;
  };
  const { parentPort } = process as NodeJS.Process & { readonly parentPort?: ParentPort };
  if (parentPort !== undefined) {
    parentPort.on("message", ({ data }) => hear(data));
    return { order, ended, listen, report: (report) => parentPort.postMessage(report) };
  }
  process.on("message", hear);
  process.once("disconnect", stop);
  return { order, ended, listen, report: (report) => void process.send?.(report) };
}

const parent = parentLine();
try {
  await run(await parent.order, parent);
} catch (error) {
  end(error);
}
