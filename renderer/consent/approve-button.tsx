import { type ReactNode, useState } from "react";
import { createPressGuard } from "./press-guard.ts";

interface ApproveButtonProps {
  readonly armed: boolean;
  readonly testId: string;
  readonly describedBy: string;
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
