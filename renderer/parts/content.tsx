import { type ReactNode, useRef } from "react";
import { useHost, useShown } from "../host-context.tsx";
import { useKeptFocus } from "./use-kept-focus.ts";

/** Beside the navigation: what every page shows at its top, and the page. */
export function Content({ children }: { readonly children: ReactNode }) {
  const content = useRef<HTMLElement>(null);
  // With either of them, banners and whole cards come and go.
  useShown((shown) => shown.snapshot);
  useHost();
  useKeptFocus(content, false);
  return (
    <main ref={content} id="content" tabIndex={-1}>
      {children}
    </main>
  );
}
