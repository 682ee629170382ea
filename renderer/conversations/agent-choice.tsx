import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
} from "react-aria-components";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { Icon } from "../parts/icon.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { labelOf } from "../text/agent-labels.ts";

interface AgentChoiceProps {
  readonly agents: readonly AgentCard[];
  readonly chosen: string | null;
  readonly onChoose: (agent_id: string) => void;
}

export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps) {
  const { t } = useTexts();
  const labels = useAgentLabels();
  return (
    <Select
      className="filter agent-choice"
      placeholder={t("manifest.choose_agent")}
      value={chosen}
      onChange={(key) => {
        if (typeof key === "string") onChoose(key);
      }}
    >
      <Label>{t("manifest.agent")}</Label>
      <Button className="select-button" data-testid="manifest-agent">
        <SelectValue />
        <Icon name="unfold" />
      </Button>
      <Popover className="popover">
        <ListBox className="options" items={agents.map((agent) => ({ id: agent.agent_id, agent }))}>
          {({ id, agent }) => (
            <ListBoxItem
              id={id}
              textValue={labelOf(labels, id, agent.name)}
              data-testid="manifest-agent-option"
            >
              <AgentIdentity {...agent} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
