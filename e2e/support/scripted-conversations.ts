import type { Page, WebSocketRoute } from "@playwright/test";
import type { Stage } from "./stage.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Asked {
  readonly name: string;
  readonly args: Fields;
}

/**
 * Plays the host's part in conversations towards the browser host's page; everything else goes to the
 * program itself. So the page can be shown what is rare: refusals, long histories, other languages.
 */
export class ScriptedConversations {
  readonly asked: Asked[] = [];
  readonly answers = new Map<string, (args: Fields) => unknown>();
  /** Calls that are refused with an internal error. */
  readonly failing = new Set<string>();
  /** Calls that are never answered. */
  readonly silent = new Set<string>();
  #socket: WebSocketRoute | undefined;

  static async on(page: Page, list: readonly Fields[]): Promise<ScriptedConversations> {
    const script = new ScriptedConversations();
    script.answers.set("conversations.list", () => list);
    script.answers.set("conversations.page", () => pageOf([]));
    for (const name of ["send", "mark_read", "delete_history"]) {
      script.answers.set(`conversations.${name}`, () => null);
    }
    await page.routeWebSocket(/\/bridge$/, (socket) => script.#play(socket));
    // A page that is loaded again needs the session that its first connection brings.
    await page.getByTestId("nav-home").waitFor();
    await page.reload();
    return script;
  }

  /** The first of these conversations is open, and these messages are in it. */
  static async open(
    stage: Stage,
    items: readonly Fields[] = [],
    list: readonly Fields[] = [conversation()],
  ): Promise<ScriptedConversations> {
    const { main } = stage.program;
    const script = await ScriptedConversations.on(main, list);
    script.answers.set("conversations.page", () => pageOf(items));
    await stage.open("conversations");
    await main.getByTestId("conversation-row").first().click();
    return script;
  }

  /** Tells the page an event of the host. */
  tell(name: string, event: Fields | readonly Fields[]): void {
    this.#socket?.send(JSON.stringify({ type: "event", name, event }));
  }

  items(conversation_id: string, ...items: readonly Fields[]): void {
    this.tell("conversation.items_changed", { conversation_id, items, removed: [] });
  }

  /** What was asked under this name, in order. */
  askedFor(name: string): readonly Fields[] {
    return this.asked.filter((each) => each.name === name).map(({ args }) => args);
  }

  #play(socket: WebSocketRoute): void {
    this.#socket = socket;
    const program = socket.connectToServer();
    socket.onMessage((data) => {
      const frame: unknown = JSON.parse(String(data));
      const call = callOf(frame);
      if (call !== null && this.silent.has(call.name)) return;
      if (call !== null && this.failing.has(call.name)) {
        const refusal = { ok: false, code: "internal_error" };
        socket.send(JSON.stringify({ type: "reply", id: call.id, reply: refusal }));
        return;
      }
      const answer = call === null ? undefined : this.answers.get(call.name);
      if (call === null || answer === undefined) {
        program.send(data);
        return;
      }
      this.asked.push(call);
      const reply = { ok: true, result: answer(call.args) };
      socket.send(JSON.stringify({ type: "reply", id: call.id, reply }));
    });
  }
}

function callOf(frame: unknown): (Asked & { readonly id: number }) | null {
  const { type, id, name, args } = frame as Fields;
  if (type !== "call" || typeof id !== "number" || typeof name !== "string") return null;
  return { id, name, args: args as Fields };
}

const OFFERS = {
  text: true,
  streaming: true,
  artifacts: true,
  voice: false,
  groups: true,
  tools: true,
};
const ME = {
  member_id: "me",
  is_agent: false,
  is_me: true,
  name: null,
  petname: null,
  name_is_borrowed: false,
  online: true,
  read_seq: 0,
  draws_artifacts: true,
};

export const member = (member_id: string, name: string): Fields => ({
  ...ME,
  member_id,
  name,
  is_agent: true,
  is_me: false,
});

/** A conversation with the agent `ada`, but for what is said otherwise. */
export const conversation = (parts: Fields = {}): Fields => ({
  conversation_id: "c1",
  kind: "direct",
  title: "Ada",
  title_is_shared: false,
  title_mark: null,
  agent_ids: ["ada"],
  members: [ME, member("ada", "Ada")],
  unread: 0,
  last_at: 1_700_000_000_000,
  last_text: "hello",
  last_content: "text",
  last_sender_id: "ada",
  offers: OFFERS,
  relation: "active",
  online: true,
  owned: false,
  ...parts,
});

export const SYSTEM = conversation({
  conversation_id: "system",
  kind: "system",
  title: null,
  agent_ids: [],
  members: [],
  last_at: null,
  last_text: null,
  last_content: null,
  last_sender_id: null,
  offers: { ...OFFERS, text: false, tools: false },
});

const BEGINNING = 1_700_000_000_000;
const MINUTE = 60_000;

/** The message with this number: the agent's, but for what is said otherwise. */
export const message = (seq: number, text: string, parts: Fields = {}): Fields => ({
  kind: "message",
  item_id: `m${String(seq).padStart(6, "0")}`,
  at: BEGINNING + seq * MINUTE,
  message_id: `m${seq}`,
  seq,
  sender_id: "ada",
  mine: false,
  content: "markdown",
  text,
  truncated: false,
  artifact: null,
  answers: null,
  voice: null,
  state: { kind: "received" },
  client_message_id: null,
  ...parts,
});

export const mine = (seq: number, text: string, parts: Fields = {}): Fields =>
  message(seq, text, {
    sender_id: "me",
    mine: true,
    content: "text",
    state: { kind: "sent" },
    ...parts,
  });

export const toolCall = (status: string, parts: Fields = {}): Fields => ({
  kind: "call",
  item_id: "k1",
  at: BEGINNING + 500 * MINUTE,
  line_id: status === "waiting" ? null : 1,
  request_id: status === "waiting" ? "r1" : null,
  call_id: "call-1",
  agent_id: "ada",
  tool_name: "read_file",
  scope: "filesystem:read",
  status,
  reason: null,
  error_code: null,
  decided_by: "person",
  ended_at: null,
  ...parts,
});

export const pageOf = (items: readonly Fields[], next: number | null = null): Fields => ({
  items,
  next_before: next === null ? null : { message: next, call: 0 },
  streams: [],
  typing: [],
});
