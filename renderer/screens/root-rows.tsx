import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { ruleLasts } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { AccessSelect } from "./access-select.tsx";
import { AddRoot } from "./add-root.tsx";

/** The folders of one agent (contract §4); their access can be changed at once. */
export function RootRows({ agent }: { readonly agent: AgentCard }) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  return (
    <>
      <h3>{t("permissions.roots")}</h3>
      {agent.roots.length === 0 ? <p className="muted">{t("permissions.no_roots")}</p> : null}
      <ul className="rows">
        {agent.roots.map(({ root_id, path, access, only_file, ...lasting }) => (
          <li className="row permission-row root-row" key={root_id} data-testid="root-row">
            <Icon name="folder" />
            <span className="grow">
              <span className="mono path">
                <VisibleText text={path} />
              </span>
              {lasting.ends_at === null ? null : (
                <span className="muted"> {ruleLasts(t, language, lasting)}</span>
              )}
            </span>
            {only_file ? (
              <span className="muted" data-testid="root-only-file">
                {`${t("consent.root_only.file")} · ${t(`permissions.root_access.${access}`)}`}
              </span>
            ) : (
              <AccessSelect
                label={t("permissions.root_access_of", { path: visibleString(path) })}
                access={access}
                onChange={(chosen) =>
                  void act("permissions.add_root", { agent_id, path, access: chosen })
                }
              />
            )}
            <button
              type="button"
              data-testid="remove-root"
              aria-label={t("permissions.remove_root_of", { path: visibleString(path) })}
              onClick={() => void act("permissions.remove_root", { agent_id, root_id })}
            >
              {t("app.remove")}
            </button>
          </li>
        ))}
      </ul>
      <AddRoot agent_id={agent_id} />
    </>
  );
}
