import type { NameMark } from "../../app/bridge/agent-names.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

/** A warning beside a name whose letters are not what they look like. */
export function NameMarkNote({ mark }: { readonly mark: NameMark | null }) {
  const { t } = useTexts();
  if (mark === null) return null;
  return (
    <span className="name-mark" data-testid="name-mark" data-mark={mark}>
      <Icon name="medium" /> {t(`agents.name_mark.${mark}`)}
    </span>
  );
}
