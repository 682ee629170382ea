import { type ReactNode, useState } from "react";
import type { Answer } from "../../app/contract/consent-request.ts";
import { keyOf } from "./answer-keys.ts";
import { createPressGuard } from "./press-guard.ts";

export interface ApproveButtonProps {
  /** Null: it has no key of its own. */
  readonly answer: Answer | null;
  readonly armed: boolean;
  readonly testId: string;
  readonly describedBy?: string;
  readonly className: string;
  readonly onApprove: () => void;
  readonly children: ReactNode;
}

/**
 * A button that grants something. It stays focusable while it is inactive, so that activating it
 * never moves the focus.
 */
export function ApproveButton(props: ApproveButtonProps) {
  const { armed } = props;
  const [guard] = useState(createPressGuard);
  return (
    <button
      type="button"
      className={props.className}
      data-testid={props.testId}
      aria-disabled={!armed}
      {...keyAttributes(props.answer)}
      aria-describedby={props.describedBy}
      onPointerDown={() => guard.pressed({ armed, repeated: false })}
      onKeyDown={(event) => guard.pressed({ armed, repeated: event.repeat })}
      onClick={(event) => {
        if (guard.clicked({ armed, trusted: event.isTrusted })) props.onApprove();
      }}
    >
      {props.children}
    </button>
  );
}

export const keyAttributes = (answer: Answer | null) =>
  answer === null
    ? {}
    : { "data-answer": answer, "data-key": keyOf(answer), "aria-keyshortcuts": keyOf(answer) };
