import type { RootView } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";

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
    <select
      aria-label={label}
      data-testid="root-access"
      value={access}
      onChange={({ target }) => {
        const chosen = ACCESSES.find((each) => each === target.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    >
      {ACCESSES.map((each) => (
        <option value={each} key={each}>
          {t(`permissions.root_access.${each}`)}
        </option>
      ))}
    </select>
  );
}
