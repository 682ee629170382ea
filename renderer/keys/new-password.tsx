import { Input, Label, Text, TextField } from "react-aria-components";
import { LIMITS } from "../../app/contract/limits.ts";
import type { PasswordStrength } from "../../app/contract/password-words.ts";
import { useTexts } from "../language.tsx";

interface NewPasswordProps {
  readonly password: string;
  readonly repeated: string;
  /** Null: not rated yet. */
  readonly strength: PasswordStrength | null;
  readonly onPassword: (text: string) => void;
  readonly onRepeated: (text: string) => void;
}

/** A new password, typed twice, with a hint about its strength. */
export function NewPassword(props: NewPasswordProps) {
  const { password, repeated, strength, onPassword, onRepeated } = props;
  const { t } = useTexts();
  const differs = repeated !== "" && repeated !== password;
  return (
    <>
      <TextField
        className="password"
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.passwordChars}
        value={password}
        onChange={onPassword}
      >
        <Label>{t("keys.backup_password")}</Label>
        <Input data-testid="backup-password" />
        {password === "" ? null : <StrengthHint strength={strength} />}
      </TextField>
      <TextField
        className="password"
        type="password"
        autoComplete="new-password"
        maxLength={LIMITS.passwordChars}
        value={repeated}
        onChange={onRepeated}
        isInvalid={differs}
      >
        <Label>{t("keys.backup_repeat")}</Label>
        <Input data-testid="backup-repeat" />
        {differs ? <Text slot="description">{t("keys.backup_differs")}</Text> : null}
      </TextField>
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
