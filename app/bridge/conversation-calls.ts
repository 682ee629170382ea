import Type from "typebox";
import type { FieldValue } from "../contract/artifacts/answer.ts";
import { LIMITS } from "../contract/limits.ts";
import type { VoiceType } from "../contract/voice-type.ts";
import { call, closed, type FileDelivery, Id } from "./call-shape.ts";
import {
  type ConversationPage,
  type ConversationView,
  GROUP_AGENTS_MAX,
  GROUP_TITLE_MAX,
  SENT_TEXT_MAX,
} from "./conversation-views.ts";
import type { ManifestAppliedView, ManifestCheckView, NewManifestView } from "./manifest-views.ts";

const Key = Type.String({ maxLength: LIMITS.artifactKeyChars });
const Value = Type.Unsafe<FieldValue>(
  Type.Union([
    Type.String({ maxLength: LIMITS.artifactTextChars }),
    Type.Number(),
    Type.Boolean(),
    Type.Array(Type.String({ maxLength: LIMITS.artifactLabelChars }), {
      maxItems: LIMITS.artifactOptions,
    }),
  ]),
);
const MessageId = Type.String({ pattern: "^[0-9A-Za-z_-]{8,64}$" });
const Place = Type.Integer({ minimum: 0 });
/** Longer than any valid manifest, so that one that is too large gets that answer. */
export const ManifestText = Type.String({ maxLength: LIMITS.manifestBytes * 8 });

/** Null: none; the members' names stand in its place. */
const GroupTitle = Type.Union([
  Type.String({ minLength: 1, maxLength: GROUP_TITLE_MAX }),
  Type.Null(),
]);
const Agents = Type.Array(Id, { minItems: 1, maxItems: GROUP_AGENTS_MAX });

/** The calls about conversations: a part of `CALLS`. */
export const CONVERSATION_CALLS = {
  /** The newest first, always including the system's. */
  "conversations.list": call<readonly ConversationView[]>()(Type.Object({}, closed)),
  /** @throws `not_found` */
  "conversations.page": call<ConversationPage>()(
    Type.Object(
      {
        conversation_id: Id,
        before: Type.Optional(Type.Object({ message: Place, call: Place }, closed)),
        limit: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      closed,
    ),
  ),
  /** The whole text of a message that a page shortened. @throws `not_found` */
  "conversations.text": call<{ readonly text: string }>()(
    Type.Object({ conversation_id: Id, item_id: Id }, closed),
  ),
  /**
   * Resolves when the message is stored; the item shows its delivery. Repeating a `client_message_id`
   * means the same message, and sends it again if it was refused.
   * @throws `not_found`, `not_offered`, `store_unwritable`
   */
  "conversations.send": call<{ readonly item_id: string }>()(
    Type.Object(
      {
        conversation_id: Id,
        text: Type.String({ minLength: 1, maxLength: SENT_TEXT_MAX }),
        markdown: Type.Optional(Type.Boolean()),
        client_message_id: MessageId,
      },
      closed,
    ),
  ),
  /**
   * The person begins to record a voice message here, or ends it. Desktop windows get the microphone
   * only in between, and no longer than one may last.
   * @throws `not_found`, `not_offered`
   */
  "conversations.record": call<null>()(
    Type.Object({ conversation_id: Id, on: Type.Boolean() }, closed),
  ),
  /** @throws as `conversations.send`, and `invalid_arguments` for what is no recording that may be sent */
  "conversations.send_voice": call<{ readonly item_id: string }>()(
    Type.Object(
      {
        conversation_id: Id,
        client_message_id: MessageId,
        duration_s: Type.Number({ minimum: 0, maximum: LIMITS.voiceMs / 1000 }),
        /** Base64. */
        data: Type.String({ minLength: 1, maxLength: Math.ceil(LIMITS.voiceBytes / 3) * 4 }),
      },
      closed,
    ),
  ),
  /** What is played, base64. @throws `not_found` */
  "conversations.voice": call<{ readonly mime: VoiceType; readonly data: string }>()(
    Type.Object({ conversation_id: Id, item_id: Id }, closed),
  ),
  /**
   * Answers an artifact, once: if it has been answered, that answer stays, and is sent again if it was
   * refused. The answer is an item of its own.
   * @throws `not_found`, `not_offered`, `answer_unfit`: the artifact is no longer what was drawn, or the
   *   answer does not fit its fields; `store_unwritable`
   */
  "conversations.answer": call<{ readonly item_id: string }>()(
    Type.Object(
      {
        conversation_id: Id,
        item_id: Id,
        /** The one that was drawn. */
        revision: Type.Integer({ minimum: 0 }),
        ref_action: Key,
        values: Type.Record(Key, Value),
      },
      closed,
    ),
  ),
  /** Saves an artifact's file where the person wants it. @throws `not_found`, `file_unwritable` */
  "conversations.file": call<FileDelivery>()(
    Type.Object({ conversation_id: Id, item_id: Id, key: Key }, closed),
  ),
  /** Everything up to this message has been seen. */
  "conversations.mark_read": call<null>()(
    Type.Object({ conversation_id: Id, seq: Type.Integer({ minimum: 1 }) }, closed),
  ),
  /** Deletes messages and notes for good; the log keeps its entries (contract §6). */
  "conversations.delete_history": call<null>()(Type.Object({ conversation_id: Id }, closed)),
  /**
   * A group of the person and these agents. @throws `nothing_visible`, `not_related`,
   * `groups_unsupported`, `group_full`, `hub_unreachable`
   */
  "groups.create": call<{ readonly conversation_id: string }>()(
    Type.Object({ title: GroupTitle, agent_ids: Agents }, closed),
  ),
  /** @throws `nothing_visible`, `not_found`, `not_offered`: it is not the person's; `hub_unreachable` */
  "groups.rename": call<null>()(Type.Object({ conversation_id: Id, title: GroupTitle }, closed)),
  /** @throws as `groups.create` and `groups.rename` */
  "groups.add_members": call<null>()(
    Type.Object({ conversation_id: Id, agent_ids: Agents }, closed),
  ),
  /** @throws as `groups.rename` */
  "groups.remove_member": call<null>()(Type.Object({ conversation_id: Id, member_id: Id }, closed)),
  /** The person leaves; a group of theirs ends with that. @throws `not_found`, `hub_unreachable` */
  "groups.leave": call<null>()(Type.Object({ conversation_id: Id }, closed)),
  /** Of an agent that has not asked to connect yet; nothing is stored or sent. */
  "manifest.check_new": call<NewManifestView>()(Type.Object({ text: ManifestText }, closed)),
  /** @throws `not_found` */
  "manifest.check": call<ManifestCheckView>()(
    Type.Object({ agent_id: Id, text: ManifestText }, closed),
  ),
  /**
   * @throws `not_found`; `manifest_changed`: this is not what was checked; `manifest_refused`: the
   * hub refused it; `hub_unreachable`
   */
  "manifest.apply": call<ManifestAppliedView>()(
    Type.Object(
      { agent_id: Id, text: ManifestText, digest: Type.String({ pattern: "^[0-9a-f]{64}$" }) },
      closed,
    ),
  ),
} as const;
