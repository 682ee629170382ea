import { Input, Label, Text, TextField } from "react-aria-components";
import { PASSWORD_MAX, passwordStrength } from "../../app/contract/password-strength.ts";
import { useTexts } from "../language.tsx";

interface NewPasswordProps {
  readonly password: string;
  readonly repeated: string;
  readonly onPassword: (text: string) => void;
  readonly onRepeated: (text: string) => void;
}

/** A password is typed twice, with a hint how well it would hold. */
export function NewPassword({ password, repeated, onPassword, onRepeated }: NewPasswordProps) {
  const { t } = useTexts();
  const strength = passwordStrength(password);
  const differs = repeated !== "" && repeated !== password;
  return (
    <>
      <TextField
        className="password"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX}
        value={password}
        onChange={onPassword}
      >
        <Label>{t("keys.backup_password")}</Label>
        <Input data-testid="backup-password" />
        {password === "" ? null : (
          <Text slot="description" className="strength" data-strength={strength}>
            <span className="strength-bar" aria-hidden="true" />
            <span role="status">{t(`keys.strength.${strength}`)}</span>
          </Text>
        )}
      </TextField>
      <TextField
        className="password"
        type="password"
        autoComplete="new-password"
        maxLength={PASSWORD_MAX}
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

/** Whether these two may protect a backup. */
export const isUsable = (password: string, repeated: string): boolean => {
  const strength = passwordStrength(password);
  return password === repeated && (strength === "fair" || strength === "strong");
};
