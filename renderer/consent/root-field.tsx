import { useId } from "react";
import type { ConsentCard } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { FolderButton, type PickFolder } from "../parts/folder-button.tsx";
import { PathCautions } from "../parts/path-cautions.tsx";

interface RootFieldProps {
  /** The agent's displayed name. */
  readonly agent: string;
  readonly access: NonNullable<ConsentCard["root_wanted"]>["access"];
  readonly path: string;
  readonly onChange: (path: string) => void;
  readonly pick: PickFolder | null;
}

/**
 * The folder that an approval gives the agent. The suggestion comes from the agent's call, so it is
 * checked like an argument.
 */
export function RootField({ agent, access, path, onChange, pick }: RootFieldProps) {
  const { t } = useTexts();
  const id = useId();
  return (
    <div className="root-field">
      <label htmlFor={id}>{t("consent.root_label")}</label>
      <div className="root-line">
        <input
          id={id}
          type="text"
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          data-testid="consent-root"
          value={path}
          aria-describedby={`${id}-means`}
          onChange={(event) => onChange(event.target.value)}
        />
        {pick === null ? null : <FolderButton pick={pick} startAt={path} onPicked={onChange} />}
      </div>
      <p id={`${id}-means`} className="muted">
        {access === "read"
          ? t("consent.root_sentence_read", { agent })
          : t("consent.root_sentence_write", { agent })}
      </p>
      <PathCautions path={path} />
    </div>
  );
}
