import { useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";
import { CopyLine } from "../parts/fact.tsx";
import { Problem, useSubmit } from "../parts/submit.tsx";

const LINK_MAX = 2_048;

export function HubSettings() {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { hub, policy } = useSnapshot();
  const [link, setLink] = useState("");
  const [untold, setUntold] = useState<readonly string[]>([]);
  const { pending, problem, setProblem, submit } = useSubmit(async () => {
    const moved = await bridge.call("hub.move", { link: hub.own ? link : null });
    setUntold(moved.untold);
    setLink("");
  });
  const isManaged = policy?.state === "applied" && policy.hub_managed;
  return (
    <>
      <h2>{t("hub.title")}</h2>
      <section className="card settings" data-testid="hub-settings" data-own={hub.own}>
        <div className="setting">
          <span>{hub.own ? t("hub.own") : t("hub.elsewhere")}</span>
          <CopyLine text={hub.url} />
        </div>
        <HubState />
        {isManaged ? <p>{t("policy.hub_managed")}</p> : null}
        {isManaged || !hub.own ? null : (
          <form className="setting-group id-form" onSubmit={(event) => event.preventDefault()}>
            <TextField
              value={link}
              maxLength={LINK_MAX}
              onChange={(text) => {
                setLink(text);
                setProblem(null);
              }}
            >
              <Label>{t("hub.link")}</Label>
              <Input
                data-testid="hub-link"
                type="text"
                dir="ltr"
                autoComplete="off"
                spellCheck={false}
              />
            </TextField>
            <ConfirmButton
              testId="hub-move"
              isDisabled={link.trim() === ""}
              isPending={pending}
              title={t("hub.move_title")}
              body={t("hub.move_means")}
              confirm={t("hub.move")}
              onConfirm={submit}
            >
              {t("hub.move")}
            </ConfirmButton>
          </form>
        )}
        {isManaged || hub.own ? null : (
          <div className="setting deed">
            <span>{t("hub.back_body")}</span>
            <Button data-testid="hub-back" isPending={pending} onPress={() => submit()}>
              {t("hub.back")}
            </Button>
          </div>
        )}
        <Problem problem={problem} testId="hub-problem" />
        {untold.length === 0 ? null : (
          <p className="caution" role="status" data-testid="hub-untold">
            {t("hub.untold", { names: untold.join(", ") })}
          </p>
        )}
      </section>
    </>
  );
}

function HubState() {
  const { t } = useTexts();
  const { connected, fault } = useSnapshot().hub;
  const state = connected ? "connected" : (fault ?? "connecting");
  return (
    <p
      className={fault === null || connected ? "muted" : "caution"}
      role="status"
      data-testid="hub-state"
      data-state={state}
    >
      {connected
        ? t("nav.hub_connected")
        : fault === null
          ? t("nav.hub_disconnected")
          : t(`bridge_error.${fault}`)}
    </p>
  );
}
