import { useState } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import { useSuspend } from "./suspend-button.tsx";

/** Actions for an agent as a whole. */
export function AgentMenu({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const [opened, setOpened] = useState<"rename" | "remove" | null>(null);
  const flip = useSuspend(agent);
  const close = (): void => setOpened(null);
  const label = useAgentLabel(agent.agent_id, agent.name);
  return (
    <>
      <MenuTrigger>
        <Button
          className="quiet"
          data-testid="agent-menu"
          aria-label={t("agents.menu", { agent: label })}
        >
          <Icon name="more" />
        </Button>
        <Popover className="popover" placement="bottom end">
          <Menu className="options">
            <MenuItem data-testid="agent-rename" onAction={() => setOpened("rename")}>
              {t("agents.rename")}
            </MenuItem>
            {flip === null ? null : (
              <MenuItem data-testid="agent-suspend" onAction={flip}>
                {t(agent.relation === "suspended" ? "agents.resume" : "agents.suspend")}
              </MenuItem>
            )}
            <MenuItem data-testid="agent-remove" onAction={() => setOpened("remove")}>
              {t("agents.remove")}
            </MenuItem>
          </Menu>
        </Popover>
      </MenuTrigger>
      <RenameDialog agent={agent} isOpen={opened === "rename"} onClose={close} />
      <RemoveDialog agent={agent} isOpen={opened === "remove"} onClose={close} />
    </>
  );
}
