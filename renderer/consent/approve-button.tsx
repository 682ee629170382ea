import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from "react";
import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { CARD_KEYS } from "./answer-keys.ts";

export interface ApproveButtonProps {
  /** The letter that presses it. */
  readonly shortcut: string;
  readonly armed: boolean;
  readonly testId: string;
  readonly describedBy?: string;
  readonly className: string;
  readonly onApprove: () => void;
  /** Of a button to be held: that it is held down, or was let go. */
  readonly onHold?: (held: boolean) => void;
  readonly children: ReactNode;
}

/** Grants something. Focusable while inactive, so that arming it never moves the focus. */
export function ApproveButton(props: ApproveButtonProps) {
  const { armed } = props;
  const [guard] = useState(createPressGuard);
  return (
    <button
      type="button"
      className={props.className}
      data-testid={props.testId}
      aria-disabled={!armed}
      data-key={props.shortcut}
      aria-keyshortcuts={props.shortcut}
      aria-describedby={props.describedBy}
      onPointerDown={() => guard.pressed({ armed, repeated: false })}
      onKeyDown={approvesNothing}
      onKeyUp={approvesNothing}
      onClick={(event) => {
        if (guard.clicked({ armed, trusted: event.isTrusted })) props.onApprove();
      }}
    >
      {props.children}
    </button>
  );
}

/** Enter and Space are pressed for too many other things. */
function approvesNothing(event: KeyboardEvent): void {
  if (event.key === "Enter" || event.key === " ") event.preventDefault();
}

/** The press that led to a click must have begun while the button was armed. */
interface PressGuard {
  pressed(press: { readonly armed: boolean; readonly repeated: boolean }): void;
  /** Assistive technology may click without a press; then it is enough that the button is armed. */
  clicked(click: { readonly armed: boolean; readonly trusted: boolean }): boolean;
}

export function createPressGuard(): PressGuard {
  let meant: boolean | null = null;
  return {
    pressed: ({ armed, repeated }) => {
      meant = armed && !repeated;
    },
    clicked: ({ armed, trusted }) => {
      const pressMeant = meant ?? true;
      meant = null;
      return armed && trusted && pressMeant;
    },
  };
}

/**
 * True once the element has not moved for long enough: 500 ms after the card appears, moves or
 * comes into view, or the window gets the focus. Counting begins when the host knows that the card
 * was `seen`: the host counts too, and an approval that it finds too early would be lost. The
 * position is checked in every frame, so whatever moves the element disarms it, such as an answered
 * card, resizing or scrolling.
 */
export function useArmed(element: RefObject<HTMLElement | null>, seen: boolean): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!seen) return;
    let since = performance.now();
    let place = "";
    let frame = 0;
    const disturb = (): void => {
      since = performance.now();
      setArmed(false);
    };
    const look = (): void => {
      const rect = element.current?.getBoundingClientRect();
      const now = rect === undefined ? "" : `${rect.left} ${rect.top}`;
      if (now !== place) {
        place = now;
        disturb();
      } else if (performance.now() - since >= LIMITS.approvalInertMs) {
        setArmed(true);
      }
      frame = requestAnimationFrame(look);
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("focus", disturb, { signal });
    document.addEventListener("visibilitychange", disturb, { signal });
    frame = requestAnimationFrame(look);
    return () => {
      listening.abort();
      cancelAnimationFrame(frame);
    };
  }, [element, seen]);
  return armed;
}

/** An approving button that a click does not press: it has to be held (contract §3). */
export function HoldButton(props: ApproveButtonProps) {
  const { t } = useTexts();
  const { state, handlers } = useHold(props.armed, props.onApprove, props.onHold);
  return (
    <>
      <button
        type="button"
        className={`${props.className} hold-button`}
        data-testid={props.testId}
        data-hold={state}
        aria-disabled={!props.armed}
        data-key={props.shortcut}
        aria-keyshortcuts={props.shortcut}
        aria-describedby={props.describedBy}
        {...handlers}
      >
        {props.children}
        <span
          className="hold-progress"
          aria-hidden="true"
          style={{ animationDuration: `${LIMITS.holdToAllowMs}ms` }}
        />
      </button>
      <span className="hold-hint" role="status" data-testid="consent-hold-hint">
        {state === "idle" ? null : t(`consent.hold.${state}`)}
      </span>
    </>
  );
}

/** `let_go`: too early. `again`: pressed by assistive technology, which cannot hold anything. */
type HoldState = "idle" | "holding" | "let_go" | "again";

/** How long the second press of assistive technology counts, in milliseconds. */
const AGAIN_MS = 15_000;

const isPress = ({ key }: KeyboardEvent): boolean => key.toUpperCase() === CARD_KEYS.allow;

/** Assistive technology cannot hold: a second click, no sooner than holding ends, counts. */
function useHold(armed: boolean, onHeld: () => void, onHold: ApproveButtonProps["onHold"]) {
  const [state, setState] = useState<HoldState>("idle");
  const latest = useRef(onHeld);
  latest.current = onHeld;
  const askedAt = useRef(Number.NEGATIVE_INFINITY);
  const now = useRef({ state, onHold });
  now.current = { state, onHold };
  useEffect(() => {
    if (armed) return;
    if (now.current.state === "holding") now.current.onHold?.(false);
    setState("idle");
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
    if (!armed || !meant) return;
    onHold?.(true);
    setState("holding");
  };
  const end = (): void => {
    if (state !== "holding") return;
    onHold?.(false);
    setState("let_go");
  };
  const assisted = (at: number): void => {
    const passed = at - askedAt.current;
    if (state === "again" && passed < LIMITS.holdToAllowMs) return;
    if (state === "again" && passed < AGAIN_MS) {
      setState("idle");
      latest.current();
      return;
    }
    askedAt.current = at;
    onHold?.(true);
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
        approvesNothing(event);
        if (isPress(event)) begin(event.isTrusted && !event.repeat);
      },
      onKeyUp: (event: KeyboardEvent) => {
        approvesNothing(event);
        if (isPress(event)) end();
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
