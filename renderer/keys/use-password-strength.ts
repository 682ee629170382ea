import { useEffect, useState } from "react";
import type { PasswordStrength } from "../../app/contract/password-words.ts";

/** Null while there is no password, or while the word lists are loading. */
export function usePasswordStrength(password: string): PasswordStrength | null {
  const [judged, setJudged] = useState<{ password: string; strength: PasswordStrength } | null>(
    null,
  );
  useEffect(() => {
    if (password === "") return;
    let isNewest = true;
    // Some megabytes of words, loaded only when somebody types a password.
    void import("../../app/contract/password-strength.ts").then(({ passwordStrength }) => {
      if (isNewest) setJudged({ password, strength: passwordStrength(password) });
    });
    return () => {
      isNewest = false;
    };
  }, [password]);
  return judged?.password === password ? judged.strength : null;
}
