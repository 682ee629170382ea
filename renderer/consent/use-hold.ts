import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useRef,
  useState,
} from "react";
import { LIMITS } from "../../app/contract/limits.ts";

/** `let_go`: too early. `again`: pressed by assistive technology, which cannot hold anything. */
export type HoldState = "idle" | "holding" | "let_go" | "again";

/** How long the second press of assistive technology counts, in milliseconds. */
const AGAIN_MS = 15_000;

const isPress = ({ key }: KeyboardEvent): boolean => key === "Enter" || key === " ";

/**
 * For a button that has to be held: a short press of any kind does nothing. Assistive technology
 * clicks without a press and cannot hold; there, a second click counts that comes no sooner than
 * the end of holding would.
 */
export function useHold(armed: boolean, onHeld: () => void) {
  const [state, setState] = useState<HoldState>("idle");
  const latest = useRef(onHeld);
  latest.current = onHeld;
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!armed) setState("idle");
  }, [armed]);
  useEffect(() => {
    if (state !== "holding") return;
    const timer = setTimeout(() => {
      setState("idle");
      latest.current();
    }, LIMITS.holdToAllowMs);
    return () => clearTimeout(timer);
  }, [state]);

  const begin = (meant: boolean): void => {
    if (armed && meant) setState("holding");
  };
  const end = (): void => setState((before) => (before === "holding" ? "let_go" : before));
  const assisted = (at: number): void => {
    const passed = at - askedAt.current;
    if (state === "again" && passed < LIMITS.holdToAllowMs) return;
    if (state === "again" && passed < AGAIN_MS) {
      setState("idle");
      latest.current();
      return;
    }
    askedAt.current = at;
    setState("again");
  };
  return {
    state,
    handlers: {
      onPointerDown: (event: PointerEvent) => begin(event.isTrusted && event.button === 0),
      onPointerUp: end,
      onPointerCancel: end,
      onPointerLeave: end,
      onBlur: end,
      onKeyDown: (event: KeyboardEvent) => {
        if (!isPress(event)) return;
        // No click follows, neither now nor when the key is let go.
        event.preventDefault();
        begin(event.isTrusted && !event.repeat);
      },
      onKeyUp: (event: KeyboardEvent) => {
        if (!isPress(event)) return;
        event.preventDefault();
        end();
      },
      onClick: (event: MouseEvent) => {
        const byPointer = event.detail !== 0;
        if (armed && event.isTrusted && !byPointer) assisted(event.timeStamp);
      },
      // A long touch opens a menu otherwise.
      onContextMenu: (event: MouseEvent) => event.preventDefault(),
    },
  };
}
