import { useId, useState } from "react";
import { Button } from "react-aria-components";
import type { SafetyView } from "../../app/bridge/key-views.ts";
import { useTexts } from "../language.tsx";

/** What both ends compare, as digits or words; each form is complete. */
export function SafetyNumber({ safety }: { readonly safety: SafetyView }) {
  const { t } = useTexts();
  const [asWords, setAsWords] = useState(false);
  const id = useId();
  const parts = (asWords ? safety.words : safety.digits).split(" ");
  return (
    <div className="safety">
      <p className="safety-label" id={id}>
        {t(asWords ? "keys.words" : "keys.digits")}
      </p>
      {/* English in every interface language, and read from left to right. */}
      <ol
        className={asWords ? "safety-words" : "safety-digits"}
        aria-labelledby={id}
        data-testid="safety-number"
        dir="ltr"
        lang="en"
      >
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat, and never move
          <li key={at}>{part}</li>
        ))}
      </ol>
      <Button className="quiet" data-testid="safety-form" onPress={() => setAsWords(!asWords)}>
        {t(asWords ? "keys.show_digits" : "keys.show_words")}
      </Button>
    </div>
  );
}
