import type { ClientBridge } from "../../app/bridge/client-bridge.ts";

/** Milliseconds before moving, scrolling or typing on the page is reported again. */
const AGAIN_MS = 250;

/** Tells the host when the person uses this page, and when it is hidden (contract §3). */
export function reportAttention(bridge: Pick<ClientBridge, "call">, signal: AbortSignal): void {
  let reported = Number.NEGATIVE_INFINITY;
  const report = (): void => {
    reported = performance.now();
    const in_view = document.visibilityState === "visible";
    // If the connection is lost, the next one begins with a report.
    void bridge.call("page.attended", { in_view }).catch(() => {});
  };
  const goesOn = (): void => {
    if (performance.now() - reported >= AGAIN_MS) report();
  };
  document.addEventListener("visibilitychange", report, { signal });
  window.addEventListener("focus", report, { signal });
  // A press is never left out: the click that follows it may be an answer.
  window.addEventListener("pointerdown", report, { signal, capture: true });
  for (const use of ["pointermove", "keydown", "wheel"]) {
    window.addEventListener(use, goesOn, { signal, capture: true, passive: true });
  }
  report();
}
