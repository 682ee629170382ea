import { LIMITS } from "../../app/contract/limits.ts";
import { useTexts } from "../language.tsx";
import { type ApproveButtonProps, keyAttributes } from "./approve-button.tsx";
import { useHold } from "./use-hold.ts";

/** An approving button that a click does not press: it has to be held (contract §3). */
export function HoldButton(props: ApproveButtonProps) {
  const { t } = useTexts();
  const { state, handlers } = useHold(props.armed, props.onApprove);
  return (
    <>
      <button
        type="button"
        className={`${props.className} hold-button`}
        data-testid={props.testId}
        data-hold={state}
        aria-disabled={!props.armed}
        {...keyAttributes(props.answer)}
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
