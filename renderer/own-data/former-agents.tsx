import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { shownName } from "../../app/bridge/agent-views.ts";
import type { FormerAgent } from "../../app/contract/own-data.ts";
import { useAct, useHost, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { GiveDialog } from "./give-dialog.tsx";

/** What agents of an imported file had been given: a list to choose from, which grants nothing. */
export function FormerAgents() {
  const { t } = useTexts();
  const [all, again] = useFormerAgents();
  const { agents } = useSnapshot();
  const section = useRef<HTMLElement>(null);
  useKeptFocus(section);
  if (all.length === 0) return null;
  return (
    <section ref={section} tabIndex={-1} className="card" data-testid="former-agents">
      <h2>{t("former.title")}</h2>
      <p className="muted">{t("former.body")}</p>
      {agents.length === 0 ? <p className="muted">{t("manifest.no_agents")}</p> : null}
      <ul className="rows">
        {all.map((former) => (
          <FormerRow former={former} again={again} key={former.former_id} />
        ))}
      </ul>
    </section>
  );
}

function useFormerAgents(): readonly [readonly FormerAgent[], () => void] {
  const { bridge } = useHost();
  const connection = useShown((shown) => shown.connection);
  const [agents, setAgents] = useState<readonly FormerAgent[]>([]);
  const read = useCallback(() => {
    // While disconnected, the last list stays.
    bridge.call("data.former", {}).then(setAgents, () => {});
  }, [bridge]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each connect
  useEffect(read, [read, connection]);
  return [agents, read];
}

function FormerRow({ former, again }: Readonly<{ former: FormerAgent; again: () => void }>) {
  const { t } = useTexts();
  const act = useAct();
  const { agents } = useSnapshot();
  const [giving, setGiving] = useState(false);
  const [leftOut, setLeftOut] = useState(0);
  const forget = async (): Promise<void> => {
    await act("data.former_forget", { former_id: former.former_id });
    again();
  };
  const { scopes, roots, hosts, rules, suspended } = former;
  return (
    <li className="row permission-row" data-testid="former-agent">
      <span className="grow">
        <VisibleText text={shownName(former)} />
        <span className="muted">
          {t("former.had", {
            scopes: scopes.length,
            roots: roots.length,
            hosts: hosts.length,
            rules: rules.length,
          })}
          {suspended === true ? ` · ${t("former.was_suspended")}` : null}
        </span>
        <span className="muted" role="status" data-testid="former-left-out">
          {leftOut === 0 ? null : t("former.left_out", { count: leftOut })}
        </span>
      </span>
      <span className="button-row">
        <Button
          data-testid="former-give"
          isDisabled={agents.length === 0}
          onPress={() => setGiving(true)}
        >
          {t("former.give")}
        </Button>
        <Button data-testid="former-forget" onPress={() => void forget()}>
          {t("former.forget")}
        </Button>
      </span>
      <GiveDialog
        former={former}
        isOpen={giving}
        onClose={({ all, left_out }) => {
          setGiving(false);
          setLeftOut(left_out);
          if (all) void forget();
        }}
      />
    </li>
  );
}
