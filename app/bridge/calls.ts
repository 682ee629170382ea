import Type, { type Static } from "typebox";
import { GivenAnswers } from "../contract/asked-questions.ts";
import { EXPORT_FORMATS } from "../contract/audit-log.ts";
import { ANSWERS } from "../contract/consent-request.ts";
import { LIMITS } from "../contract/limits.ts";
import { PASTED_BYTES, type PastedDigest } from "../contract/pasted-digest.ts";
import { OfferedSubject, ROOT_TIMES, RULE_TIMES } from "../contract/rule.ts";
import { Settings } from "../contract/settings.ts";
import { DECIDED_BY } from "../contract/tool-call.ts";
import { CLIPBOARD_IMAGE_MAX_BASE64 } from "../contract/tools/clipboard-image-limits.ts";
import { AGENT_CALLS, MODEL_CALLS, RULE_CALLS } from "./agent-calls.ts";
import { call, closed, type FileDelivery, Id } from "./call-shape.ts";
import { APP_CALLS } from "./connected-apps.ts";
import type { RecalledCall } from "./consent-views.ts";
import { CONVERSATION_CALLS } from "./conversation-calls.ts";
import { HUB_CALLS } from "./hub-calls.ts";
import { OWN_DATA_CALLS } from "./own-data-calls.ts";
import { TAKE_BACK_CALLS } from "./take-back-calls.ts";
import {
  ACTIVITY_STATUSES,
  type ActivityPage,
  type ChainView,
  type Snapshot,
  type SummaryStep,
} from "./views.ts";

/** Why a page did not do what the host asked for. */
const PAGE_FAILURES = ["too_large", "access_denied", "no_fix"] as const;

const PagePosition = Type.Object(
  {
    latitude: Type.Number(),
    longitude: Type.Number(),
    /** Metres. */
    accuracy_m: Type.Number(),
    /** Milliseconds since the epoch. */
    timestamp: Type.Integer(),
  },
  closed,
);

const Nothing = Type.Object({}, closed);
const Path = Type.String({ minLength: 1, maxLength: 4096 });
const Moment = Type.Integer({ minimum: 0 });

const Password = Type.String({ minLength: 1, maxLength: LIMITS.passwordChars });
/** Characters; a backup has some hundred bytes. */
const BACKUP_BASE64 = 8_192;

/** Which lines of the log; every member narrows it further. */
const ACTIVITY_FILTER = {
  agent_id: Type.Optional(Id),
  tool_name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  scope: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  status: Type.Optional(Type.Enum(ACTIVITY_STATUSES)),
  decided_by: Type.Optional(Type.Enum(DECIDED_BY)),
  /** Milliseconds since the epoch, from this one on. */
  from: Type.Optional(Moment),
  /** Milliseconds since the epoch, up to but not including this one. */
  to: Type.Optional(Moment),
  /** The beginning of a call id. */
  call_id: Type.Optional(Id),
  /**
   * A path, file name, folder, host or program that calls are about. With `call_id`, a line matches that
   * has either.
   */
  about: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.subjectChars })),
  arguments_digest: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
};

/** What of a folder is given with an approval, and for how long. */
const RootTerms = Type.Object(
  {
    only_file: Type.Boolean(),
    access: Type.Enum(["read", "read_write"]),
    time: Type.Enum(ROOT_TIMES),
  },
  closed,
);
export type RootTerms = Static<typeof RootTerms>;

/** What a rule is about that an answer makes. */
const RuleOnCard = Type.Object({ subject: OfferedSubject, time: Type.Enum(RULE_TIMES) }, closed);

/** The page offers to take the denial back for as long as it is held. */
const Undoable = Type.Optional(Type.Literal(true));

/**
 * All calls from a renderer to the host. The host's handlers and the preloads' methods are derived
 * from this map; every argument is checked against its schema before a handler sees it.
 */
export const CALLS = {
  "app.snapshot": call<Snapshot>()(Nothing),
  "consent.list":
    call<Pick<Snapshot, "consents" | "denials" | "turned_away" | "settings">>()(Nothing),
  /** The card is visible: a high one's countdown starts now. @throws `not_found`, `too_early` */
  "consent.opened": call<null>()(Type.Object({ request_id: Id }, closed)),
  /** The person reads the card, which holds its countdown for a moment. @throws `not_found`, `too_early` */
  "consent.reading": call<null>()(Type.Object({ request_id: Id }, closed)),
  /** The end of what the card shows has been in sight: a high one can be approved. @throws `not_found`, `too_early` */
  "consent.read": call<null>()(Type.Object({ request_id: Id }, closed)),
  /** The button that allows what runs without a sandbox is held down, or was let go. */
  "consent.held": call<null>()(Type.Object({ request_id: Id, held: Type.Boolean() }, closed)),
  /**
   * `root_path`: the folder or file given with an approval, where the card asked for one.
   * @throws `not_found`, `not_offered`, `too_early`, `not_read`, `root_needed`, `root_elsewhere`,
   *   `root_path_unusable`, `root_missing`, `root_not_folder`, `root_refused`
   */
  "consent.answer": call<null>()(
    Type.Object(
      {
        request_id: Id,
        answer: Type.Enum(ANSWERS),
        undoable: Undoable,
        root_path: Type.Optional(Path),
        /** Without them that folder stays, with the access that the call needs, until it is removed. */
        root_terms: Type.Optional(RootTerms),
        /** Makes a rule of an `allow_once` or `deny`: about one of the card's `rule_subjects`. */
        rule: Type.Optional(RuleOnCard),
        /** What the person answers where the agent asks them something. */
        chosen: Type.Optional(GivenAnswers),
      },
      closed,
    ),
  ),
  /** A denial, with the person's words for the agent. @throws `not_found` */
  "consent.deny_and_tell": call<null>()(
    Type.Object(
      {
        request_id: Id,
        message: Type.String({ minLength: 1, maxLength: LIMITS.personsWordsChars }),
        undoable: Undoable,
      },
      closed,
    ),
  ),
  /** Leaves the answer to the agent's own dialog. @throws `not_found`, `not_offered` */
  "consent.answer_there": call<null>()(Type.Object({ request_id: Id }, closed)),
  /** Shows the requests that wait, where they have a window of their own. */
  "consent.show": call<null>()(Nothing),
  /** Puts that window away: what waits stays waiting, and no clock stops. */
  "consent.put_off": call<null>()(Nothing),
  /**
   * Answers several requests of one agent: denies any, allows those that share a card.
   * @throws `not_found`, `not_offered`, `too_early`
   */
  "consent.answer_group": call<null>()(
    Type.Object(
      {
        answers: Type.Array(
          Type.Object(
            {
              request_id: Id,
              answer: Type.Enum(["deny", "allow_once", "allow_in_prompt", "allow_in_conversation"]),
              rule: Type.Optional(RuleOnCard),
            },
            closed,
          ),
          { minItems: 1, maxItems: LIMITS.waitingLocal },
        ),
        undoable: Undoable,
      },
      closed,
    ),
  ),
  /** Takes a denial back that has not left yet: the request waits again. @throws `not_found` */
  "consent.undo": call<null>()(Type.Object({ request_id: Id }, closed)),
  /** Shows the system's folder picker; null: the person chose none. */
  "folders.pick": call<{ readonly path: string | null }>()(
    Type.Object({ start_at: Type.Optional(Path) }, closed),
  ),
  /** Folders whose path begins like this, for a field that completes it: the first few by name. */
  "folders.complete": call<readonly string[]>()(Type.Object({ text: Path }, closed)),
  /** Stops a running call; it is answered `cancelled`. @throws `not_found` */
  "running.cancel": call<null>()(Type.Object({ agent_id: Id, call_id: Id }, closed)),
  /** The arguments and result of a call that runs or is over; null: not in memory (any longer). */
  "calls.recall": call<RecalledCall | null>()(Type.Object({ agent_id: Id, call_id: Id }, closed)),
  ...TAKE_BACK_CALLS,
  ...CONVERSATION_CALLS,
  ...AGENT_CALLS,
  ...RULE_CALLS,
  ...APP_CALLS,
  ...MODEL_CALLS,
  ...OWN_DATA_CALLS,
  "activity.page": call<ActivityPage>()(
    Type.Object(
      {
        before_seq: Type.Optional(Type.Integer({ minimum: 1 })),
        limit: Type.Integer({ minimum: 1, maximum: 200 }),
        ...ACTIVITY_FILTER,
      },
      closed,
    ),
  ),
  /** Counts of what the same filter selects, one stretch after the other (`countAll`). */
  "activity.summary": call<SummaryStep>()(
    Type.Object(
      { before_seq: Type.Optional(Type.Integer({ minimum: 1 })), ...ACTIVITY_FILTER },
      closed,
    ),
  ),
  "activity.verify": call<ChainView>()(Nothing),
  /** The person acknowledges every rollback that was noticed. */
  "activity.acknowledge": call<null>()(Nothing),
  /** The log as a file: all, or a period (milliseconds since the epoch, both ends included). */
  "activity.export": call<FileDelivery>()(
    Type.Object(
      {
        format: Type.Enum(EXPORT_FORMATS),
        /** With what each call was about, as its line says it; JSONL only. */
        targets: Type.Optional(Type.Boolean()),
        from: Type.Optional(Type.Integer({ minimum: 0 })),
        to: Type.Optional(Type.Integer({ minimum: 0 })),
      },
      closed,
    ),
  ),
  /** The digest of pasted arguments, to be compared with an entry's; the text is not stored. */
  "activity.digest": call<PastedDigest>()(
    Type.Object({ text: Type.String({ maxLength: PASTED_BYTES }) }, closed),
  ),
  ...HUB_CALLS,
  "settings.set": call<null>()(Settings),
  /** The person's identity as a file. @throws `password_weak`, `file_unwritable`, `already_running` */
  "keys.backup": call<FileDelivery>()(Type.Object({ password: Password }, closed)),
  /**
   * Replaces the identity with a backup from the next start on.
   * @throws `wrong_password`, `backup_damaged`, `backup_of_another`, `already_running`
   */
  "keys.restore": call<null>()(
    Type.Object({ password: Password, file: Type.String({ maxLength: BACKUP_BASE64 }) }, closed),
  ),
  /** @throws `not_found` where the host does not offer it, `file_unwritable` */
  "login_start.set": call<null>()(Type.Object({ on: Type.Boolean() }, closed)),
  /** Looks for an update now. @throws `not_found` where somebody else updates the program */
  "updates.look": call<null>()(Nothing),
  "notices.dismiss": call<null>()(Type.Object({ code: Type.String({ maxLength: 64 }) }, closed)),
  "sample_agent.start": call<null>()(Nothing),
  /** The page's answer to an event `page.request`. */
  "page.answer": call<null>()(
    Type.Object(
      {
        request_id: Id,
        ok: Type.Boolean(),
        text: Type.Optional(Type.String({ maxLength: 2_000_000 })),
        /** A PNG in base64; without it the clipboard held none. */
        image: Type.Optional(Type.String({ maxLength: CLIPBOARD_IMAGE_MAX_BASE64 })),
        position: Type.Optional(PagePosition),
        /** Why it was not done, where the browser says so. */
        word: Type.Optional(Type.Enum(PAGE_FAILURES)),
      },
      closed,
    ),
  ),
  /** What this page can do for the host in its browser's present state. */
  "page.abilities": call<null>()(
    Type.Object(
      {
        clipboard: Type.Boolean(),
        clipboard_images: Type.Boolean(),
        notifications: Type.Boolean(),
        location: Type.Boolean(),
      },
      closed,
    ),
  ),
  /** The person uses this page now; or, with `in_view` false, it is hidden. */
  "page.attended": call<null>()(Type.Object({ in_view: Type.Boolean() }, closed)),
} as const;

export type CallName = keyof typeof CALLS;
export type CallArgs<C extends CallName> = Static<(typeof CALLS)[C]["args"]>;
export type CallResult<C extends CallName> =
  NonNullable<(typeof CALLS)[C]["result"]> extends never
    ? null
    : Exclude<(typeof CALLS)[C]["result"], undefined>;

/** The only calls of the consent window's preload. */
export const CONSENT_WINDOW_CALLS = [
  "consent.list",
  "consent.opened",
  "consent.reading",
  "consent.read",
  "consent.held",
  "consent.answer",
  "consent.answer_group",
  "consent.deny_and_tell",
  "consent.answer_there",
  "consent.undo",
  "consent.put_off",
  "turned_away.seen",
  "folders.pick",
] as const satisfies readonly CallName[];
