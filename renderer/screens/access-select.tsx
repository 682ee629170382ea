import type { RootView } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";

type Access = RootView["access"];
const ACCESSES: readonly Access[] = ["read", "read_write"];

interface AccessSelectProps {
  readonly label: string;
  readonly access: Access;
  readonly onChange: (access: Access) => void;
}

/** What an agent may do in a folder. */
export function AccessSelect({ label, access, onChange }: AccessSelectProps) {
  const { t } = useTexts();
  return (
    <Choice
      className="access-select"
      label={label}
      unseenLabel
      chosen={access}
      options={ACCESSES.map((word) => ({ word, label: t(`permissions.root_access.${word}`) }))}
      onChoose={onChange}
      testId="root-access"
    />
  );
}
