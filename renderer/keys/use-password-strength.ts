import { useEffect, useState } from "react";
import type { PasswordStrength } from "../../app/contract/password-words.ts";

/** Null while there is nothing to judge, or what judges is still being loaded. */
export function usePasswordStrength(password: string): PasswordStrength | null {
  const [judged, setJudged] = useState<{ password: string; strength: PasswordStrength } | null>(
    null,
  );
  useEffect(() => {
    if (password === "") return;
    let isNewest = true;
    // Some megabytes of words, which no page needs until somebody types a password.
    void import("../../app/contract/password-strength.ts").then(({ passwordStrength }) => {
      if (isNewest) setJudged({ password, strength: passwordStrength(password) });
    });
    return () => {
      isNewest = false;
    };
  }, [password]);
  return judged?.password === password ? judged.strength : null;
}
