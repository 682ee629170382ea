import {
  act,
  cleanup,
  createEvent,
  fireEvent,
  render,
  screen,
  within,
} from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, vi } from "vitest";
import type { ConsentCard } from "../../../app/bridge/consent-views.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { createI18n, type LocaleName } from "../../../i18n/index.ts";
import { LanguageProvider } from "../../language.tsx";
import { forgetKept } from "../../state/kept-state.ts";
import { type ConsentActions, ConsentCardView } from "../consent-card.tsx";

export const { t } = createI18n("en");
export const HOME = "/home/ada/proj";
export const card = () => screen.getByTestId("consent-card");
export const heading = () => within(card()).getByRole("heading", { level: 2 });
export const allow = () => screen.getByTestId("consent-allow-once");

/** A card for a call that reads a file; tests pass in what differs. */
export const cardOf = (differs: Partial<ConsentCard> = {}): ConsentCard => ({
  request_id: "request-1",
  agent_id: "agent-1",
  agent_name: "Notes",
  petname: null,
  key_mark: { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" },
  name_mark: null,
  name_is_shared: false,
  conversation_id: "conversation-1",
  in_own_conversation: true,
  said: { label: null, description: null, tools: [], more: 0 },
  call_id: "call-1",
  tool_name: "read_file",
  description_i18n_key: "agent.tools.read_file.desc",
  description_fallback: null,
  arguments: { path: `${HOME}/notes.md` },
  arguments_digest: "a".repeat(64),
  scope: "filesystem:read",
  scope_label_i18n_key: "agent.scopes.filesystem:read.label",
  scope_label_fallback: null,
  sensitivity: "medium",
  subject: { kind: "folder", path: HOME },
  answers: ["deny", "allow_once", "allow_in_conversation", "allow_scope_in_conversation"],
  root_wanted: null,
  host_wanted: null,
  preview: null,
  decided_only: false,
  dialog_after: false,
  raised: [],
  line: null,
  leads_to: null,
  timeout_ms: null,
  remaining_ms: null,
  held_ms: 0,
  asked_at: 0,
  folded: 0,
  folders: [HOME],
  deny_subjects: [],
  open_folders: [],
  rule_subjects: [],
  ...differs,
});

export const highCard = (differs: Partial<ConsentCard> = {}): ConsentCard =>
  cardOf({
    sensitivity: "high",
    answers: ["deny", "allow_once", "always_deny"],
    timeout_ms: LIMITS.consentTimeoutMs,
    ...differs,
  });

/** A host that accepts everything, unless a test says otherwise. */
export const fakeActions = () => ({
  opened: vi.fn<ConsentActions["opened"]>(async () => true),
  reading: vi.fn<ConsentActions["reading"]>(),
  read: vi.fn<ConsentActions["read"]>(async () => true),
  held: vi.fn<ConsentActions["held"]>(),
  answer: vi.fn<ConsentActions["answer"]>(async () => null),
  answerThere: vi.fn<ConsentActions["answerThere"]>(async () => null),
  denyAndTell: vi.fn<ConsentActions["denyAndTell"]>(async () => null),
  answerGroup: vi.fn<ConsentActions["answerGroup"]>(async () => null),
  folderHelp: { kind: "completes", complete: async () => [] } as ConsentActions["folderHelp"],
});

export const inLanguage = (node: ReactNode, language: LocaleName = "en") => (
  <LanguageProvider language={language}>{node}</LanguageProvider>
);

interface Drawn {
  readonly connected?: boolean;
  readonly language?: LocaleName;
  readonly position?: number;
  readonly total?: number;
}

export function drawCard(sent: ConsentCard, drawn: Drawn = {}) {
  const actions = fakeActions();
  const view = (shown: ConsentCard, { language, ...more }: Drawn) =>
    inLanguage(
      <ConsentCardView
        received={{ card: shown, received_at: performance.now() }}
        position={1}
        total={1}
        connected
        actions={actions}
        {...more}
      />,
      language,
    );
  const { rerender } = draw(view(sent, drawn));
  return {
    actions,
    /** Renders the same request with other data from the host. */
    redraw: (shown: ConsentCard, more: Drawn = drawn) => rerender(view(shown, more)),
  };
}

/** jsdom draws nothing and has no IntersectionObserver, so tests say what is visible. */
class SightObserver {
  static all = new Set<SightObserver>();
  readonly #tell: (entries: unknown[]) => void;
  constructor(tell: (entries: unknown[]) => void) {
    this.#tell = tell;
    SightObserver.all.add(this);
  }
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {
    SightObserver.all.delete(this);
  }
  say(part: number): void {
    const rect = { height: 100 };
    this.#tell([
      {
        isIntersecting: part > 0,
        rootBounds: { height: 800 },
        boundingClientRect: rect,
        intersectionRect: { height: rect.height * part },
      },
    ]);
  }
}

/** How much of each card is visible, 0 to 1. */
export const comeIntoSight = (part = 1): void => {
  for (const each of SightObserver.all) each.say(part);
};

/**
 * Timers run one after the other: something that depends on an earlier timer needs a second call.
 */
export const pass = (ms: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(ms);
  });

/** Makes the card visible, reports it to the host, and waits until the buttons are armed. */
export async function arm(): Promise<void> {
  comeIntoSight();
  await pass(100);
  await pass(LIMITS.approvalInertMs + 100);
}

/** A person's click: the press and everything that follows. */
export async function press(testId: string): Promise<void> {
  const button = screen.getByTestId(testId);
  fireEvent.pointerDown(button);
  await clickOnly(button);
}

const byPerson = new WeakSet<Event>();

/** A click by assistive technology, without a press. */
export async function clickOnly(element: Element, init: MouseEventInit = {}): Promise<void> {
  const click = createEvent.click(element, init);
  byPerson.add(click);
  fireEvent(element, click);
  await pass(0);
}

/** Begins or ends a press of a person's, with a pointer or a key. */
export async function byHand(
  element: Element,
  kind: "pointerDown" | "pointerUp" | "keyDown" | "keyUp",
  init: EventInit & { key?: string; repeat?: boolean } = {},
): Promise<void> {
  const event = createEvent[kind](element, init);
  byPerson.add(event);
  fireEvent(element, event);
  await pass(0);
}

const trusted = (event: Event): Event =>
  new Proxy(event, {
    get(of, name) {
      if (name === "isTrusted") return true;
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === "function" ? value.bind(of) : value;
    },
  });

/** jsdom marks no event as a person's, so tests say which ones are. */
function knowPersonsAt(place: HTMLElement): HTMLElement {
  const listen = place.addEventListener.bind(place);
  place.addEventListener = (type: string, listener: unknown, options?: AddEventListenerOptions) => {
    if (typeof listener !== "function") throw new TypeError("React listens with functions");
    listen(type, (event) => listener(byPerson.has(event) ? trusted(event) : event), options);
  };
  return place;
}

const pageRoot = (): HTMLElement =>
  knowPersonsAt(document.body.appendChild(document.createElement("div")));

export const draw = (page: ReactNode) => render(page, { container: pageRoot() });

/** Call it once in a file of component tests: it stops the clock, and cleans up after each test. */
export function drawsCards(): void {
  // Where React listens for what happens in dialogs.
  knowPersonsAt(document.body);
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("IntersectionObserver", SightObserver);
    vi.stubGlobal("matchMedia", () => Object.assign(new EventTarget(), { matches: false }));
    vi.stubGlobal("ResizeObserver", class extends SightObserver {});
  });
  afterEach(() => {
    cleanup();
    forgetKept();
    SightObserver.all.clear();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}
