import { type FormEvent, useId, useState } from "react";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { visibleString } from "../text/visible-text.ts";

/** The folders one agent sees (contract §4), and a line to open another. */
export function RootRows({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  return (
    <>
      <h3>{t("permissions.roots")}</h3>
      {agent.roots.length === 0 ? <p className="muted">{t("permissions.no_roots")}</p> : null}
      <ul className="rows">
        {agent.roots.map(({ root_id, path, access }) => (
          <li className="row" key={root_id} data-testid="root-row">
            <Icon name="folder" />
            <span className="grow mono path">
              <VisibleText text={path} />
            </span>
            <span className="muted nowrap">{t(`permissions.root_access.${access}`)}</span>
            <button
              type="button"
              data-testid="remove-root"
              aria-label={t("permissions.remove_root_of", { path: visibleString(path) })}
              onClick={() => void act("permissions.remove_root", { agent_id, root_id })}
            >
              {t("permissions.remove_root")}
            </button>
          </li>
        ))}
      </ul>
      <AddRoot agent_id={agent_id} />
    </>
  );
}

function AddRoot({ agent_id }: { readonly agent_id: string }) {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const [path, setPath] = useState("");
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await act("permissions.add_root", { agent_id, path })) setPath("");
  };
  return (
    <form className="inline-form" onSubmit={(event) => void add(event)}>
      <label className="unseen" htmlFor={id}>
        {t("permissions.add_root_label")}
      </label>
      <input
        id={id}
        type="text"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        placeholder={t("permissions.add_root_label")}
        data-testid="add-root-path"
        value={path}
        onChange={(event) => setPath(event.target.value)}
      />
      <button type="submit" data-testid="add-root" disabled={path === ""}>
        {t("permissions.add_root")}
      </button>
    </form>
  );
}
