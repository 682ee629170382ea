import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import { useSnapshot } from "../host-context.tsx";
import { AgentPicture } from "../parts/agent-picture.tsx";
import { Icon } from "../parts/icon.tsx";

const SIGNS = { direct: "agents", group: "group", system: "settings" } as const;

/** The agent's picture, or the kind of conversation; the names beside it say the same. */
export function ConversationSign({ view }: { readonly view: ConversationView }) {
  const { agents } = useSnapshot();
  const { kind, agent_ids } = view;
  const agent =
    kind === "direct" ? agents.find(({ agent_id }) => agent_id === agent_ids[0]) : undefined;
  if (agent !== undefined) return <AgentPicture mark={agent.key_mark} />;
  return (
    <span className="conversation-sign" data-kind={kind}>
      <Icon name={SIGNS[kind]} />
    </span>
  );
}
