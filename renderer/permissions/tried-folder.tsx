import { useState } from "react";
import { type AgentDetails, shownName } from "../../app/bridge/agent-views.ts";
import { useAct, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { visibleString } from "../text/visible-text.ts";
import { AddRoot } from "./root-rows.tsx";

const NO_AGENTS: readonly AgentDetails[] = [];

interface TriedFolderProps {
  readonly agent: AgentDetails;
  readonly path: string;
}

/** Folders that agents tried without having been given them (contract §4). */
export function useTriedFolders(): readonly TriedFolderProps[] {
  const agents = useShown((shown) => shown.snapshot?.agents ?? NO_AGENTS);
  return agents.flatMap((agent) => agent.tried_folders.map((path) => ({ agent, path })));
}

export function TriedFolder({ agent, path }: TriedFolderProps) {
  const { t } = useTexts();
  const act = useAct();
  const [isOpen, setOpen] = useState(false);
  const { agent_id } = agent;
  const name = visibleString(shownName(agent));
  return (
    <div className="notice notice-tried" role="status" data-testid="tried-folder" data-path={path}>
      <Icon name="folder" />
      <div className="notice-tried-words">
        <div>
          <p>{t("tried_folder.body", { agent: name })}</p>
          <VisibleText within="p" className="mono path" text={path} />
        </div>
        <span className="nowrap">
          <button type="button" data-testid="tried-folder-open" onClick={() => setOpen(true)}>
            {t("tried_folder.open")}
          </button>
          <button
            type="button"
            className="quiet"
            data-testid="tried-folder-ignore"
            onClick={() => void act("permissions.ignore_folder", { agent_id, path })}
          >
            {t("tried_folder.ignore")}
          </button>
        </span>
      </div>
      <FormDialog
        title={t("tried_folder.title", { agent: name })}
        testId="tried-folder-dialog"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p className="muted">{t("tried_folder.means")}</p>
        <AddRoot agent_id={agent_id} startAt={path} onAdded={() => setOpen(false)} />
      </FormDialog>
    </div>
  );
}
