import type { ConversationKind } from "../../app/bridge/conversation-views.ts";
import { Icon } from "../parts/icon.tsx";

const SIGNS = { direct: "agents", group: "group", system: "settings" } as const;

/** Tells the kinds of conversations apart at a glance; their names say it too. */
export function ConversationSign({ kind }: { readonly kind: ConversationKind }) {
  return (
    <span className="conversation-sign" data-kind={kind}>
      <Icon name={SIGNS[kind]} />
    </span>
  );
}
