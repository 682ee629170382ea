import { useEffect, useId, useRef, useState } from "react";
import { Button, Input, Label, TextField } from "react-aria-components";
import { type NewRegistration, PETNAME_MAX } from "../../app/bridge/agent-views.ts";
import { useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { NewManifest } from "../manifest/new-manifest.tsx";
import { CopyFact } from "../parts/fact.tsx";
import { Fold } from "../parts/fold.tsx";
import { Problem, useSubmit } from "../parts/submit.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** For an agent of the person's own: the hub registers it, and tells its token once. */
export function RegisterAgent() {
  const { t } = useTexts();
  const [given, setGiven] = useState<(NewRegistration & { readonly name: string }) | null>(null);
  return (
    <Fold
      title={t("agents.register_title")}
      level={2}
      className="card by-manifest"
      data-testid="register-agent"
      testId="register-open"
    >
      {given === null ? (
        <RegisterForm onRegistered={setGiven} />
      ) : (
        <Registered {...given} onDone={() => setGiven(null)} />
      )}
    </Fold>
  );
}

interface RegisterFormProps {
  readonly onRegistered: (given: NewRegistration & { readonly name: string }) => void;
}

function RegisterForm({ onRegistered }: RegisterFormProps) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const { pending, problem, submit } = useSubmit(async () => {
    onRegistered({ name, ...(await bridge.call("agents.register", { name, text })) });
  });
  return (
    <form className="new-agent" onSubmit={submit}>
      <p className="muted">{t("agents.register_body")}</p>
      <TextField className="filter" value={name} onChange={setName} maxLength={PETNAME_MAX}>
        <Label>{t("agents.register_name")}</Label>
        <Input data-testid="register-name" autoComplete="off" />
      </TextField>
      <NewManifest text={text} onText={setText} isDisabled={pending}>
        {(asks) => (
          <div className="button-row">
            <Button
              type="submit"
              className="primary"
              data-testid="register-send"
              isDisabled={pending || asks === null || name.trim() === ""}
            >
              {t("agents.register")}
            </Button>
          </div>
        )}
      </NewManifest>
      <Problem problem={problem} testId="register-failure" />
    </form>
  );
}

interface RegisteredProps extends NewRegistration {
  readonly name: string;
  readonly onDone: () => void;
}

/** The token stands here until the person leaves, and nowhere afterwards. */
function Registered({ name, agent_id, token, onDone }: RegisteredProps) {
  const { t } = useTexts();
  const { url: hub_url } = useSnapshot().hub;
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus is gone.
  useEffect(() => heading.current?.focus(), []);
  const facts = [
    [t("agents.found_id"), agent_id],
    [t("agents.register_token"), token],
    [t("settings.hub"), hub_url],
    [t("agents.sdk_call"), `HasheeAgent.init({ agentId, token, manifest, baseUrl: "${hub_url}" })`],
  ] as const;
  return (
    <section className="new-agent" aria-labelledby={id} data-testid="registered">
      <h3 id={id} ref={heading} tabIndex={-1}>
        <VisibleText text={name} />
      </h3>
      <p className="caution" role="status">
        {t("agents.register_once")}
      </p>
      <dl className="facts">
        {facts.map(([name, text]) => (
          <CopyFact key={name} name={name} text={text} />
        ))}
      </dl>
      <div className="button-row">
        <Button data-testid="registered-done" onPress={onDone}>
          {t("agents.register_done")}
        </Button>
        <Button
          className="primary"
          data-testid="registered-add"
          onPress={() => {
            onDone();
            window.location.hash = `#/agents?add=${encodeURIComponent(agent_id)}`;
          }}
        >
          {t("agents.register_add")}
        </Button>
      </div>
    </section>
  );
}
