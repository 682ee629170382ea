import type { Manifest } from "../app/contract/manifest.ts";
import type { ConversationSummary } from "../app/protocol/v1/answers.ts";
import type {
  CapabilityChangedFrame,
  PairingRequestedFrame,
  ReauthRequiredFrame,
} from "../app/protocol/v1/frames.ts";
import type { AgentView, RelationView } from "../app/protocol/v1/rest.ts";

export interface Subject {
  readonly id: string;
  readonly type: "agent" | "human";
}
/** Who may ask: people who own the hub, every person, or agents as well. */
export type MayAsk = "owner" | "person" | "member";
/**
 * Who makes the request, by its token.
 * @throws Refusal UNAUTHENTICATED, AGENT_REMOVED, FORBIDDEN
 */
export type SubjectOf = (bearer: string | undefined, may: MayAsk) => Promise<Subject>;

/** A person besides the local one: an identity key that the hub lets in. */
export interface Account {
  readonly user_id: string;
  /** As the invitation named the person. */
  readonly name: string;
  /** An owner may invite, suspend and remove people. */
  readonly role: AccountRole;
  readonly status: "active" | "suspended";
  /** Of the identity card that was shown at the first sign-in. */
  readonly key_id: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}
export type AccountRole = "owner" | "member";

/** For one person, whose account it becomes. */
export interface Invitation extends Pick<Account, "name" | "role"> {
  readonly token_hash: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
  readonly used_by: string | null;
}

export interface Agent extends AgentView {
  /** The person who registered or paired it, who may change its manifest. */
  readonly owner_id: string;
  readonly capability_manifest: Manifest;
}
export interface NewAgent {
  readonly agent_id: string;
  readonly owner_id: string;
  readonly name: string;
  readonly token_hash: Uint8Array;
  readonly manifest: Manifest;
  readonly manifest_hash: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}
export interface TokenHolder {
  readonly agent_id: string;
  /** Everybody who had it has removed it. One that nobody has added yet is not removed. */
  readonly isRemoved: boolean;
}

/** An agent asks to be added. The agent's token follows from the pairing's, of which there are only hashes. */
export interface NewPairing {
  readonly pairing_id: string;
  /** Who is asked. */
  readonly user_id: string;
  /** As the person sees it. */
  readonly shown: PairingRequestedFrame["payload"] & { readonly capability_manifest: Manifest };
  /** SHA-256. */
  readonly token_hash: Uint8Array;
  /** SHA-256 of the token that the agent gets if it is accepted. */
  readonly agent_token_hash: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly expires_at: number;
}
export type ClosedPairing = "refused" | "withdrawn" | "expired";
export interface StoredPairing extends NewPairing {
  readonly status: "waiting" | ClosedPairing | "accepted" | "collected";
  /** Of the agent that was added. */
  readonly agent_id: string | null;
  /** Milliseconds since the epoch; null while it waits. */
  readonly forget_at: number | null;
}

/** The person's last answer to a breaking manifest, as its agent is told. */
export type ReauthAnswer = Pick<
  CapabilityChangedFrame["payload"],
  "capability_manifest_version" | "accepted"
>;
/** How its agent is reached is not stored with it. */
export interface Relation extends RelationView {
  readonly answer: ReauthAnswer | null;
}
export interface RelationChange {
  readonly relation: Relation;
  /** What its agent is told about it, if the hub calls the agent. */
  readonly events: readonly NewEvent[];
}
/** A notice before it has its number. */
export type NewNotice = Omit<ReauthRequiredFrame["payload"], "notice_id">;
export interface ManifestChange {
  /** Each with what its person is told. */
  readonly relations: readonly (RelationChange & { readonly notice: NewNotice })[];
  /** The agent leaves all groups, whoever owns them. */
  readonly leavesGroups: boolean;
}
export interface Member {
  readonly member_id: string;
  readonly member_type: "human" | "agent";
}
export interface Conversation {
  readonly conversation_id: string;
  readonly type: "h2a" | "group";
  /** Whose relations decide which agents are active. */
  readonly ownerId: string;
  readonly title: string | null;
  /** All of them, active or not. */
  readonly memberCount: number;
  /** Those who may send and receive now: agents count only while their relation is active. */
  readonly activeMembers: readonly Member[];
}
export interface MemberState extends Member {
  /** An agent's; `null` for people. */
  readonly name: string | null;
  /** The last number it has read; 0 when none. */
  readonly read_seq: number;
  /** Of an agent's relation with the conversation's owner. */
  readonly status: RelationView["status"] | null;
}
export interface WithMembers {
  readonly summary: ConversationSummary;
  /** Active or not; people first. */
  readonly members: readonly MemberState[];
}
/** What decides who may be added to a group. */
export interface InvitableAgents {
  /** Those it has an active relation with. */
  readonly related: ReadonlySet<string>;
  /** By id, those of the agents asked about that there are. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Groups it made and that still have members. */
  readonly groupsMade: number;
}
export interface NewGroup extends Pick<Conversation, "conversation_id" | "ownerId" | "title"> {
  /** Besides the owner. */
  readonly members: readonly Member[];
}
export interface Group extends Conversation {
  /** Active or not. */
  readonly memberIds: readonly string[];
}
export interface GroupChange {
  readonly title?: string | null;
  readonly joining?: readonly Member[];
  readonly leaving?: readonly string[];
}

export interface NewMessage {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly sender_id: string;
  readonly sender_type: Subject["type"];
  readonly client_message_id: string;
  readonly content_type: "text" | "artifact";
  readonly msg_subtype: string | null;
  /** The sealed envelope, base64. */
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}
export interface MessageReceipt {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly conversation_seq: number;
}
export interface Kept {
  readonly receipt: MessageReceipt;
  /**
   * Resolves once a crash of the hub cannot lose the message: it is durable here, or every recipient
   * has reported it received. Rejects if neither will be.
   * @param mayBeReported false stores it without waiting for that, because somebody is not connected
   */
  safe(mayBeReported: boolean): Promise<void>;
  /** Null: a resend, which is delivered to nobody. */
  readonly conversation_type: Conversation["type"] | null;
  readonly deliveries: readonly {
    readonly recipient_id: string;
    readonly delivery_id: number;
    /** Other nodes that the recipient is connected to. */
    readonly nodes?: readonly string[];
  }[];
}
export type NotKept =
  | {
      readonly refused:
        | "NOT_A_MEMBER"
        | "RECIPIENT_QUEUE_FULL"
        | "HISTORY_FULL"
        | "VOICE_UNSUPPORTED"
        | "VOICE_TOO_LARGE";
    }
  | { readonly refused: "RATE_LIMITED"; readonly retryAfterMs: number };
/** What a message that is not known yet counts for, and what may refuse it. */
export interface Admission {
  /** Of an agent's message; 0 for a person's, who is not limited. */
  readonly bytes: number;
  readonly isCall: boolean;
  /** It will be in the recipients' histories. */
  readonly isInHistory: boolean;
  /** Null: no rule asks for the manifests of the conversation's active agents at that moment. */
  readonly refusal: ((manifests: readonly Manifest[]) => NotKept | undefined) | null;
}
export interface Undelivered extends Omit<NewMessage, "client_message_id"> {
  readonly delivery_id: number;
  readonly conversation_seq: number;
  readonly conversation_type: Conversation["type"];
}
export interface ReadMark {
  readonly seq: number;
  readonly hasMoved: boolean;
  readonly members: readonly Member[];
}
export interface Snapshot {
  readonly relations: readonly Relation[];
  readonly conversations: readonly WithMembers[];
  /** The keys of those that the subject may write to. */
  readonly keys: readonly { readonly owner_id: string; readonly key_id: string }[];
  /** Null before the subject has published prekeys. */
  readonly oneTimeLeft: number | null;
  /** In the order they were added. */
  readonly notices: readonly ReauthRequiredFrame[];
}

export interface Webhook {
  readonly agent_id: string;
  readonly url: string;
  /** As it was shown: the hub signs with it, so a hash would not do. */
  readonly secret: string;
}
/** What a webhook agent is told besides messages; the newest 1,000 wait. */
export interface NewEvent {
  readonly event_id: string;
  readonly type: string;
  /** A JSON object as text. */
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}
export interface WaitingEvent extends NewEvent {
  readonly event_row: number;
  readonly conversation_id: string;
  readonly sender_id: string;
}
export type Waiting =
  | { readonly kind: "message"; readonly message: Undelivered }
  | { readonly kind: "event"; readonly event: WaitingEvent };

/** What an owner has published, as it published it. */
export interface PublishedIdentity {
  readonly owner_id: string;
  /** Base64. */
  readonly key_id: string;
  readonly identity_card: Uint8Array;
  /** Null until the owner itself was here: an agent's card comes with its pairing. */
  readonly signed_prekey: Uint8Array | null;
}
export interface OwnersKeys extends PublishedIdentity {
  readonly oneTimeLeft: number;
}
export interface TakenBundle extends Pick<OwnersKeys, "identity_card" | "oneTimeLeft"> {
  readonly signedPrekey: Uint8Array;
  /** Null when none is left. */
  readonly oneTimePrekey: Uint8Array | null;
}
