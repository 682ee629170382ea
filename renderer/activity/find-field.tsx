import { useEffect, useEffectEvent, useState } from "react";
import { Label, SearchField } from "react-aria-components";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { FindInput } from "../parts/plain-field.tsx";

/** How long typing must pause before the log is searched, in milliseconds. */
const PAUSE_MS = 250;

/** Finds calls by what they are about, by the beginning of their id, or by a complete digest. */
export function FindField(props: Readonly<{ text: string; onChange: (text: string) => void }>) {
  const { text, onChange } = props;
  const { t } = useTexts();
  const [typed, setTyped] = useState(text);
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    // Its own words come back without the space that was just typed after them.
    if (typed.trim() !== text) setTyped(text);
  }
  const wanted = typed.trim();
  const ask = useEffectEvent(onChange);
  useEffect(() => {
    if (wanted === text) return;
    const timer = setTimeout(() => ask(wanted), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, text]);
  return (
    <SearchField
      className="filter find-field"
      value={typed}
      onChange={setTyped}
      onSubmit={() => onChange(wanted)}
      maxLength={LIMITS.subjectChars}
    >
      <Label>{t("activity.find")}</Label>
      <FindInput hint={t("activity.find_hint")} testId="activity-find" />
    </SearchField>
  );
}
