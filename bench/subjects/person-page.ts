import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import type { CallArgs, CallName, CallResult } from "../../app/bridge/calls.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { EventName, Events } from "../../app/bridge/events.ts";
import type { HookWay } from "../../app/contract/hook-way.ts";
import { LIMITS } from "../../app/contract/limits.ts";

type Frame =
  | { readonly type: "welcome" }
  | { readonly type: "refused" }
  | { readonly type: "reply"; readonly id: number; readonly reply: { ok: boolean; code?: string } }
  | { readonly type: "event"; readonly name: EventName; readonly event: unknown };

/** The person at the browser host's page, without a browser: the same socket and calls. */
export class PersonPage {
  readonly #socket: WebSocket;
  readonly #heard = new Set<(frame: Frame) => void>();
  #calls = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on("message", (data) => {
      const frame: Frame = JSON.parse(String(data));
      for (const hear of [...this.#heard]) hear(frame);
    });
  }

  /** @param ui the address in the program's ready line; its hash is the one-time token */
  static async open(ui: string): Promise<PersonPage> {
    const { origin, host, hash } = new URL(ui);
    const socket = new WebSocket(`ws://${host}/bridge`, { origin });
    const page = new PersonPage(socket);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const greeted = page.#next((frame) => frame.type === "welcome" || frame.type === "refused");
    const token = new URLSearchParams(hash.slice(1)).get("token");
    socket.send(JSON.stringify({ type: "hello", token }));
    if ((await greeted).type === "refused") throw new Error("the page was refused");
    await page.#call("page.attended", { in_view: true });
    return page;
  }

  close(): void {
    this.#socket.close();
  }

  /** Connects the agent that shows this code, or the first one, with everything it asks for. */
  async acceptPairing(code: string | null, hook_way: HookWay = "check_everything"): Promise<void> {
    const pairing = await this.#listed(
      "pairings.changed",
      "pairings",
      (each) => code === null || each.code === code,
    );
    await this.#call("pairing.answer", {
      pairing_id: pairing.pairing_id,
      accept: true,
      granted_scopes: pairing.scopes.map(({ id }) => id),
      hook_way,
    });
  }

  /** Gets each card once. */
  onCard(answer: (card: ConsentCard) => Promise<void>): void {
    const seen = new Set<string>();
    this.#heard.add((frame) => {
      if (frame.type !== "event" || frame.name !== "consents.changed") return;
      for (const card of frame.event as Events["consents.changed"]) {
        if (seen.has(card.request_id)) continue;
        seen.add(card.request_id);
        void answer(card);
      }
    });
  }

  /** As the page does: the card is in sight, and read to its end. */
  async answer(
    { request_id }: ConsentCard,
    answer: Omit<CallArgs<"consent.answer">, "request_id">,
  ): Promise<void> {
    await this.#call("consent.opened", { request_id });
    await this.#call("consent.read", { request_id });
    // An approval counts only after the card has been visible for a moment.
    await pause(LIMITS.approvalInertMs + 100);
    await this.#call("consent.answer", { request_id, ...answer });
  }

  /** Answers the next card with "allow in this conversation", for everything in `folder` if there is one. */
  async allowInConversation(folder: string | null): Promise<void> {
    await this.answer(await this.#listed("consents.changed", "consents", () => true), {
      answer: "allow_in_conversation",
      ...(folder === null ? {} : { root_path: folder }),
    });
  }

  /** The first matching item of the list, now or later. */
  async #listed<E extends "pairings.changed" | "consents.changed">(
    event: E,
    list: E extends "pairings.changed" ? "pairings" : "consents",
    fits: (each: Events[E][number]) => boolean,
  ): Promise<Events[E][number]> {
    const found = (frame: Frame): Events[E][number] | undefined =>
      frame.type === "event" && frame.name === event
        ? (frame.event as Events[E]).find(fits)
        : undefined;
    const changed = this.#next((frame) => found(frame) !== undefined);
    const snapshot = await this.#call("app.snapshot", {});
    const there = (snapshot[list] as Events[E]).find(fits);
    if (there !== undefined) return there;
    const each = found(await changed);
    if (each === undefined) throw new Error(`no ${list}`);
    return each;
  }

  async #call<C extends CallName>(name: C, args: CallArgs<C>): Promise<CallResult<C>> {
    this.#calls += 1;
    const id = this.#calls;
    const replied = this.#next((frame) => frame.type === "reply" && frame.id === id);
    this.#socket.send(JSON.stringify({ type: "call", id, name, args }));
    const frame = await replied;
    if (frame.type !== "reply" || !frame.reply.ok) {
      throw new Error(`${name}: ${frame.type === "reply" ? frame.reply.code : frame.type}`);
    }
    return (frame.reply as unknown as { result: CallResult<C> }).result;
  }

  #next(fits: (frame: Frame) => boolean): Promise<Frame> {
    return new Promise((resolve) => {
      const hear = (frame: Frame) => {
        if (!fits(frame)) return;
        this.#heard.delete(hear);
        resolve(frame);
      };
      this.#heard.add(hear);
    });
  }
}
