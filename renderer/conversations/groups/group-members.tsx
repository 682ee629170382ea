import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import type { AgentDetails } from "../../../app/bridge/agent-views.ts";
import type { ConversationView, MemberView } from "../../../app/bridge/conversation-views.ts";
import { useAct, useAgent, useShown, useSnapshot } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { AgentIdentity, AgentState } from "../../parts/agent-identity.tsx";
import { useAgentLabels } from "../../text/agent-labels.ts";
import { memberName } from "../names.ts";

/** Who is in the group. Who owns it removes and adds; everybody else looks. */
export function GroupMembers(props: Readonly<{ view: ConversationView; onClose: () => void }>) {
  const { view, onClose } = props;
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const conversations = useShown((shown) => shown.conversations) ?? [];
  const addable = view.owned ? addableAgents(agents, conversations, view.agent_ids) : [];
  return (
    <>
      <ul className="rows group-rows">
        {view.members.map((member) => (
          <MemberRow view={view} member={member} key={member.member_id} />
        ))}
      </ul>
      {addable.length === 0 ? null : (
        <>
          <h3>{t("groups.add")}</h3>
          <ul className="rows group-rows">
            {addable.map((agent) => (
              <AddRow view={view} agent={agent} key={agent.agent_id} />
            ))}
          </ul>
        </>
      )}
      <div className="button-row">
        <Button autoFocus data-testid="group-members-done" onPress={onClose}>
          {t("groups.done")}
        </Button>
      </div>
    </>
  );
}

interface RowProps {
  readonly view: ConversationView;
}

function MemberRow({ view, member }: RowProps & { readonly member: MemberView }) {
  const { t } = useTexts();
  const act = useAct();
  const labels = useAgentLabels();
  const { conversation_id, owned } = view;
  const { member_id, is_me } = member;
  const agent = useAgent(member_id);
  const name = is_me ? t("conversations.you") : memberName(t, labels, member);
  return (
    <Row testId="group-member" agent={agent} name={name}>
      {is_me || !owned ? null : (
        <Button
          data-testid="group-remove"
          aria-label={t("groups.remove_of", { name })}
          onPress={() => void act("groups.remove_member", { conversation_id, member_id })}
        >
          {t("app.remove")}
        </Button>
      )}
    </Row>
  );
}

function AddRow({ view, agent }: RowProps & { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const act = useAct();
  const { conversation_id } = view;
  return (
    <Row testId="group-addable" agent={agent} name="">
      <Button
        data-testid="group-add"
        onPress={() =>
          void act("groups.add_members", { conversation_id, agent_ids: [agent.agent_id] })
        }
      >
        {t("agents.add")}
      </Button>
    </Row>
  );
}

interface PersonRowProps {
  readonly testId: string;
  /** Undefined: not one of the person's agents. */
  readonly agent: AgentDetails | undefined;
  readonly name: string;
  readonly children: ReactNode;
}

function Row({ testId, agent, name, children }: PersonRowProps) {
  return (
    <li className="row row-line" data-testid={testId}>
      <span className="grow">{agent === undefined ? name : <AgentIdentity of={agent} />}</span>
      {agent === undefined ? null : <AgentState {...agent} />}
      {children}
    </li>
  );
}

/** The person's agents that may join a group: connected with them, and not against groups (contract §5). */
export function addableAgents(
  agents: readonly AgentDetails[],
  conversations: readonly ConversationView[],
  members: readonly string[] = [],
): readonly AgentDetails[] {
  const willing = new Set(
    conversations
      .filter(
        ({ kind, relation, offers }) => kind === "direct" && relation === "active" && offers.groups,
      )
      .flatMap(({ agent_ids }) => agent_ids),
  );
  return agents.filter(({ agent_id }) => willing.has(agent_id) && !members.includes(agent_id));
}
