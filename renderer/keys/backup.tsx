import { type ReactNode, useEffect, useState } from "react";
import {
  Button,
  FileTrigger,
  Form,
  Input,
  Label,
  Text,
  TextField,
  type TextFieldProps,
} from "react-aria-components";
import { LIMITS } from "../../app/contract/limits.ts";
import type { PasswordStrength } from "../../app/contract/password-words.ts";
import { useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { base64Of, beginningOf, useSave } from "../parts/files.ts";
import { Problem, useSubmit } from "../parts/submit.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** In bytes; of a longer file, which is no backup, only the beginning is read. */
const LONGEST = 6_000;

export function BackupSettings() {
  const { t } = useTexts();
  const { keys } = useSnapshot();
  return (
    <>
      <h2>{t("keys.backup_title")}</h2>
      <section className="card settings key-settings" data-testid="backup-settings">
        <p>{t("keys.backup_body")}</p>
        {keys.restart_needed ? <p role="status">{t("keys.restart_needed")}</p> : null}
        <MakeBackup />
        <RestoreBackup />
      </section>
    </>
  );
}

function MakeBackup() {
  const { t } = useTexts();
  const { bridge } = useHost();
  const save = useSave();
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [busy, setBusy] = useState(false);
  const strength = usePasswordStrength(password);
  const isUsable = password === repeated && strength?.level === "strong";
  const make = async (): Promise<void> => {
    setBusy(true);
    const isSaved = await save(bridge.call("keys.backup", { password }));
    setBusy(false);
    if (!isSaved) return;
    setPassword("");
    setRepeated("");
  };
  return (
    <Form
      className="setting key-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isUsable) void make();
      }}
    >
      <h3>{t("keys.backup_make")}</h3>
      <div className="key-fields">
        <NewPassword
          password={password}
          repeated={repeated}
          strength={strength}
          onPassword={setPassword}
          onRepeated={setRepeated}
        />
        <Button type="submit" data-testid="backup-save" isDisabled={!isUsable} isPending={busy}>
          {t(busy ? "keys.working" : "keys.backup_save")}
        </Button>
      </div>
    </Form>
  );
}

function RestoreBackup() {
  const { t } = useTexts();
  const { bridge } = useHost();
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState("");
  const { pending, problem, submit } = useSubmit(async () => {
    if (file === null || password === "") return;
    await bridge.call("keys.restore", {
      password,
      file: await base64Of(beginningOf(file, LONGEST)),
    });
    setPassword("");
    setFile(null);
  });
  return (
    <Form className="setting key-form" onSubmit={submit}>
      <h3>{t("keys.restore")}</h3>
      <div className="key-fields">
        <p>{t("keys.restore_body")}</p>
        <FileTrigger onSelect={(files) => setFile(files?.[0] ?? null)}>
          <Button data-testid="restore-choose">{t("keys.restore_choose")}</Button>
        </FileTrigger>
        {file === null ? null : <VisibleText within="p" text={file.name} />}
        <PasswordField
          label={t("keys.restore_password")}
          testId="restore-password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
        <Button
          type="submit"
          data-testid="restore-do"
          isDisabled={file === null || password === ""}
          isPending={pending}
        >
          {t(pending ? "keys.working" : "keys.restore_do")}
        </Button>
        <Problem problem={problem} testId="restore-problem" />
      </div>
    </Form>
  );
}

interface PasswordFieldProps extends Omit<TextFieldProps, "children"> {
  readonly label: string;
  readonly testId: string;
  readonly children?: ReactNode;
}

const PasswordField = ({ label, testId, children, ...field }: PasswordFieldProps) => (
  <TextField
    className="password"
    type="password"
    autoComplete="new-password"
    maxLength={LIMITS.passwordChars}
    {...field}
  >
    <Label>{label}</Label>
    <Input data-testid={testId} />
    {children}
  </TextField>
);

interface NewPasswordProps {
  readonly password: string;
  readonly repeated: string;
  /** Null: not rated yet. */
  readonly strength: PasswordStrength | null;
  readonly onPassword: (text: string) => void;
  readonly onRepeated: (text: string) => void;
}

function NewPassword(props: NewPasswordProps) {
  const { password, repeated, strength, onPassword, onRepeated } = props;
  const { t } = useTexts();
  const differs = repeated !== "" && repeated !== password;
  return (
    <>
      <PasswordField
        label={t("keys.backup_password")}
        testId="backup-password"
        value={password}
        onChange={onPassword}
      >
        {password === "" ? null : <StrengthHint strength={strength} />}
      </PasswordField>
      <PasswordField
        label={t("keys.backup_repeat")}
        testId="backup-repeat"
        value={repeated}
        onChange={onRepeated}
        isInvalid={differs}
      >
        {differs ? <Text slot="description">{t("keys.backup_differs")}</Text> : null}
      </PasswordField>
    </>
  );
}

function StrengthHint({ strength }: { readonly strength: PasswordStrength | null }) {
  const { t } = useTexts();
  const { level, warning, suggestions } = strength ?? NOT_JUDGED;
  return (
    <Text slot="description" className="strength" data-strength={level}>
      <span className="strength-bar" aria-hidden="true" />
      <span role="status">
        <span>{t(`keys.strength.${level}`)}</span>
        {warning === null ? null : <span>{t(`keys.password_warning.${warning}`)}</span>}
      </span>
      {suggestions.length === 0 ? null : (
        <ul>
          {suggestions.map((suggestion) => (
            <li key={suggestion}>{t(`keys.password_suggestion.${suggestion}`)}</li>
          ))}
        </ul>
      )}
    </Text>
  );
}

const NOT_JUDGED = { level: "judging", warning: null, suggestions: [] } as const;

/** Null while there is no password, or while the word lists are loading. */
function usePasswordStrength(password: string): PasswordStrength | null {
  const [judged, setJudged] = useState<{ password: string; strength: PasswordStrength } | null>(
    null,
  );
  useEffect(() => {
    if (password === "") return;
    let isNewest = true;
    // Some megabytes of words, loaded only when somebody types a password.
    void import("../../app/contract/password-strength.ts").then(({ passwordStrength }) => {
      if (isNewest) setJudged({ password, strength: passwordStrength(password) });
    });
    return () => {
      isNewest = false;
    };
  }, [password]);
  return judged?.password === password ? judged.strength : null;
}
