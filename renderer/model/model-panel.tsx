import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import type { ModelView } from "../../app/bridge/model-view.ts";
import { addressOf } from "../conversations/open-address.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { ModelDialog } from "./model-dialog.tsx";

export function ModelPanel() {
  const { t } = useTexts();
  const { model } = useSnapshot();
  return (
    <section className="model" data-testid="model-panel" data-state={model?.state ?? "none"}>
      {model === null ? (
        <>
          <h2>{t("model.title")}</h2>
          <p>{t("model.body")}</p>
          <NewModel />
        </>
      ) : (
        <ConnectedModel model={model} />
      )}
    </section>
  );
}

function NewModel() {
  const { t } = useTexts();
  const act = useAct();
  const connect = () => void act("model.connect", { provider: "demonstration", model: "" });
  return (
    <div className="button-row">
      <ChangeButton testId="model-connect">{t("model.connect")}</ChangeButton>
      <Button className="quiet" data-testid="model-demonstration" onPress={connect}>
        {t("model.try_demonstration")}
      </Button>
    </div>
  );
}

function ConnectedModel({ model }: { readonly model: ModelView }) {
  const { t } = useTexts();
  const act = useAct();
  const { state, fault, provider } = model;
  const isRunning = state === "running";
  return (
    <>
      <div className="section-head">
        <h2>
          {provider === "demonstration" ? (
            t("model.provider_names.demonstration")
          ) : (
            <VisibleText text={model.model} />
          )}
        </h2>
        <span className="online-state" data-online={isRunning}>
          <span className="dot" aria-hidden="true" />
          {t(`model.state.${state}`)}
        </span>
      </div>
      <p>{placeOf(model, t(`model.provider_names.${provider}`))}</p>
      {provider === "demonstration" ? <p>{t("model.is_demonstration")}</p> : null}
      {state === "stopped" && fault === null ? (
        <p className="muted">{t("model.stopped_means")}</p>
      ) : null}
      <ToBeAdded model={model} />
      <p className="verdict-bad" role="status" data-testid="model-fault">
        {fault === null ? null : t(`model.fault.${fault}`)}
      </p>
      <div className="button-row">
        <OpenConversation model={model} />
        <Button
          data-testid={isRunning ? "model-stop" : "model-start"}
          onPress={() => void act(isRunning ? "model.stop" : "model.start", {})}
        >
          {t(isRunning ? "model.stop" : "model.start")}
        </Button>
        <ChangeButton testId="model-change">{t("model.change")}</ChangeButton>
        <RemoveButton />
      </div>
    </>
  );
}

const placeOf = ({ provider, base_url }: ModelView, name: string): ReactNode => {
  if (provider === "demonstration") return null;
  return base_url === null ? name : <VisibleText text={base_url} />;
};

/** Its code stands here and on the request to be added: the person compares the two. */
function ToBeAdded({ model: { state, code, conversation_id } }: { readonly model: ModelView }) {
  const { t } = useTexts();
  if (state !== "running" || conversation_id !== null) return null;
  return (
    <p className="muted" role="status">
      {code === null ? t("model.starting") : t("model.waiting_to_be_added", { code })}
    </p>
  );
}

function OpenConversation({ model: { conversation_id } }: { readonly model: ModelView }) {
  const { t } = useTexts();
  if (conversation_id === null) return null;
  return (
    <Button
      className="primary"
      data-testid="model-open"
      onPress={() => {
        window.location.hash = addressOf(conversation_id);
      }}
    >
      {t("model.open")}
    </Button>
  );
}

function ChangeButton({ testId, children }: Readonly<{ testId: string; children: ReactNode }>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button data-testid={testId} onPress={() => setOpen(true)}>
        {children}
      </Button>
      <ModelDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

function RemoveButton() {
  const { t } = useTexts();
  const act = useAct();
  return (
    <ConfirmButton
      className="quiet"
      testId="model-remove"
      title={t("model.remove_title")}
      body={t("model.remove_body")}
      confirm={t("app.remove")}
      onConfirm={() => void act("model.remove", {})}
    >
      {t("app.remove")}
    </ConfirmButton>
  );
}
