import { Input, Label, TextField } from "react-aria-components";
import { GROUP_TITLE_MAX } from "../../../app/bridge/conversation-views.ts";
import { useTexts } from "../../language.tsx";

interface TitleFieldProps {
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

export function TitleField({ typed, onType }: TitleFieldProps) {
  const { t } = useTexts();
  return (
    <TextField value={typed} onChange={onType} maxLength={GROUP_TITLE_MAX} autoFocus>
      <Label>{t("groups.name")}</Label>
      <Input data-testid="group-name" type="text" autoComplete="off" dir="auto" />
    </TextField>
  );
}

/** Null: the group has no name of its own. */
export const typedTitle = (typed: string): string | null => (typed.trim() === "" ? null : typed);
