import { type AgentNames, type AgentSigns, shownName } from "../../app/bridge/agent-names.ts";
import { useTexts } from "../language.tsx";
import { AgentPicture } from "./agent-picture.tsx";
import { KeyFingerprint } from "./key-fingerprint.tsx";
import { NameMarkNote } from "./name-mark-note.tsx";
import { VisibleText } from "./visible-text.tsx";

/** The name an agent gave itself, always with the key that identifies it. */
export function AgentIdentity({ name, petname, key_mark, name_mark }: AgentNames & AgentSigns) {
  const { t } = useTexts();
  return (
    <span className="identity">
      <AgentPicture mark={key_mark} />
      <span className="identity-texts">
        <span className="identity-name">
          <VisibleText text={shownName({ name, petname })} />
        </span>
        <NameMarkNote mark={name_mark} />
        {petname === null ? null : (
          <span className="muted" data-testid="original-name">
            {t("agents.calls_itself")} <VisibleText text={name} />
          </span>
        )}
        <KeyFingerprint mark={key_mark} />
      </span>
    </span>
  );
}
