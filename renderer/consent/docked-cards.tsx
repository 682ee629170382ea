import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { useTexts } from "../language.tsx";
import { isPageKey, keyShortcuts } from "../parts/page-keys.ts";

/**
 * The cards at the page's edge. The page stays usable and keeps the keyboard; F6 leads to the first
 * card and back, and once all are answered the keyboard is where it was.
 */
export function DockedCards({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const section = useRef<HTMLElement>(null);
  useWayBack(section);
  return (
    <section
      ref={section}
      className="consent-docked"
      aria-label={t("consent.layer")}
      aria-keyshortcuts={keyShortcuts("requests")}
      data-testid="consent-docked"
      // An open dialog keeps the focus inside itself, except for elements with this attribute.
      data-react-aria-top-layer="true"
    >
      {children}
    </section>
  );
}

function useWayBack(section: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const isInside = (element: Element | null) => section.current?.contains(element) === true;
    let outside = document.activeElement;
    // The page has just become smaller.
    outside?.scrollIntoView({ block: "nearest" });
    const goBack = (): void => {
      if (outside instanceof HTMLElement) outside.focus();
    };
    const focused = (): void => {
      if (!isInside(document.activeElement)) outside = document.activeElement;
    };
    const pressed = (event: KeyboardEvent): void => {
      if (!isPageKey("requests", event)) return;
      event.preventDefault();
      if (isInside(document.activeElement)) goBack();
      else section.current?.querySelector<HTMLElement>("article h2")?.focus();
    };
    document.addEventListener("focusin", focused, { signal });
    document.addEventListener("keydown", pressed, { signal });
    return () => {
      listening.abort();
      // Not if the person has put the keyboard elsewhere meanwhile.
      if (document.activeElement === document.body) goBack();
    };
  }, [section]);
}
