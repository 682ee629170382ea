import type {
  ArtifactView,
  ConversationView,
  MessageItem,
} from "../../../app/bridge/conversation-views.ts";

export interface ArtifactProps {
  readonly artifact: ArtifactView;
  readonly item: MessageItem;
  readonly view: ConversationView;
}
