import { type ReactNode, useState } from "react";
import { Input, Label, Text, TextField } from "react-aria-components";
import type { ModelProvider } from "../../app/contract/connected-model.ts";
import { useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { DialogButtons, Problem, useSubmit } from "../parts/submit.tsx";

interface ModelDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ModelDialog({ isOpen, onClose }: ModelDialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog title={t("model.title")} testId="model-dialog" isOpen={isOpen} onClose={onClose}>
      <ModelForm onClose={onClose} />
    </FormDialog>
  );
}

const PROVIDERS = ["anthropic", "openai", "openai_compatible"] as const satisfies ModelProvider[];

/** Created each time the dialog opens; the key that is kept is not in it. */
function ModelForm({ onClose }: Pick<ModelDialogProps, "onClose">) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const { model: before } = useSnapshot();
  const [provider, setProvider] = useState(PROVIDERS.find((each) => each === before?.provider));
  const [baseUrl, setBaseUrl] = useState(before?.base_url ?? "");
  const [model, setModel] = useState(before?.model ?? "");
  const [apiKey, setApiKey] = useState("");
  const hasPlace = provider === "openai_compatible";
  const isFilledIn = model.trim() !== "" && (!hasPlace || baseUrl.trim() !== "");
  const isSamePlace =
    before?.provider === provider && (!hasPlace || before?.base_url === baseUrl.trim());

  const { pending, problem, submit } = useSubmit(async () => {
    if (provider === undefined) return;
    await bridge.call("model.connect", {
      provider,
      model: model.trim(),
      ...(hasPlace ? { base_url: baseUrl.trim() } : {}),
      ...(apiKey.trim() === "" ? {} : { api_key: apiKey.trim() }),
    });
    onClose();
  });
  const keyHelp = keyHelpOf(isSamePlace && before?.has_key === true, hasPlace);
  return (
    <form className="modal-form" onSubmit={submit}>
      <Choice
        className="model-provider"
        testId="model-provider"
        label={t("model.provider")}
        chosen={provider ?? null}
        placeholder={t("model.provider_none")}
        options={PROVIDERS.map((word) => ({ word, label: t(`model.provider_names.${word}`) }))}
        onChoose={setProvider}
      />
      {hasPlace ? (
        <Line
          testId="model-base-url"
          value={baseUrl}
          onChange={setBaseUrl}
          label={t("model.base_url")}
        >
          {t("model.base_url_help")}
        </Line>
      ) : null}
      <Line testId="model-name" value={model} onChange={setModel} label={t("model.name")}>
        {t("model.name_help")}
      </Line>
      <Line
        testId="model-key"
        value={apiKey}
        onChange={setApiKey}
        label={t("model.api_key")}
        secret
      >
        {keyHelp === null ? null : t(keyHelp)}
      </Line>
      <p className="muted">{t("model.api_key_means")}</p>
      <Problem problem={problem} testId="model-problem" />
      <DialogButtons
        label={t("model.connect")}
        testId="model-save"
        onClose={onClose}
        isDisabled={provider === undefined || !isFilledIn}
        pending={pending}
      />
    </form>
  );
}

function keyHelpOf(isKept: boolean, isOptional: boolean) {
  if (isKept) return "model.api_key_kept" as const;
  return isOptional ? ("model.api_key_optional" as const) : null;
}

interface LineProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly secret?: boolean;
  /** What to enter. */
  readonly children: ReactNode;
}

/** Nothing that is typed here is corrected, completed or remembered by the browser. */
function Line({ label, testId, value, onChange, secret = false, children }: LineProps) {
  return (
    <TextField
      value={value}
      onChange={onChange}
      type={secret ? "password" : "text"}
      {...(secret ? { className: "password" } : {})}
      autoComplete="off"
      maxLength={2_048}
    >
      <Label>{label}</Label>
      <Input data-testid={testId} dir="ltr" spellCheck={false} />
      {children === null ? null : <Text slot="description">{children}</Text>}
    </TextField>
  );
}
