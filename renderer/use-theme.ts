import { useEffect } from "react";
import type { Theme } from "../app/contract/settings.ts";

/** Shows the page light, dark, or as the system is; styles/tokens.css has the colours. */
export function useTheme(theme: Theme): void {
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
  }, [theme]);
}
