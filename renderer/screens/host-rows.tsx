import { type FormEvent, useState } from "react";
import type { AgentCard } from "../../app/bridge/views.ts";
import { hostText } from "../../app/contract/network-host.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { PlainField } from "../parts/plain-field.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { dateTime } from "../text/format-time.ts";
import { visibleString } from "../text/visible-text.ts";

/** The hosts in the person's own network that one agent may reach, and a field to add another. */
export function HostRows({ agent }: { readonly agent: AgentCard }) {
  const { t, language } = useTexts();
  const act = useAct();
  const { agent_id } = agent;
  return (
    <>
      <h3>{t("permissions.hosts")}</h3>
      {agent.hosts.length === 0 ? <p className="muted">{t("permissions.no_hosts")}</p> : null}
      <ul className="rows">
        {agent.hosts.map(({ host, port, added_at }) => (
          <li className="row permission-row" key={hostText({ host, port })} data-testid="host-row">
            <span className="grow mono">
              <VisibleText text={hostText({ host, port })} />
            </span>
            <span className="muted nowrap">
              {t("permissions.rule_since", { date: dateTime(language, added_at) })}
            </span>
            <button
              type="button"
              data-testid="remove-host"
              aria-label={t("permissions.remove_host_of", {
                host: visibleString(hostText({ host, port })),
              })}
              onClick={() => void act("permissions.remove_host", { agent_id, host, port })}
            >
              {t("app.remove")}
            </button>
          </li>
        ))}
      </ul>
      <AddHost agent_id={agent_id} />
    </>
  );
}

function AddHost({ agent_id }: { readonly agent_id: string }) {
  const { t } = useTexts();
  const act = useAct();
  const [host, setHost] = useState("");
  const add = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (await act("permissions.add_host", { agent_id, host })) setHost("");
  };
  return (
    <form className="inline-form" onSubmit={(event) => void add(event)}>
      <PlainField
        label={t("permissions.add_host_label")}
        testId="add-host-name"
        value={host}
        onChange={setHost}
      />
      <button type="submit" data-testid="add-host" disabled={host.trim() === ""}>
        {t("permissions.add_host")}
      </button>
      <p className="muted form-note">{t("permissions.add_host_help")}</p>
    </form>
  );
}
