import { Component, type ReactNode } from "react";
import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { useTexts } from "../language.tsx";
import { Icon, type IconName } from "./icon.tsx";
import type { useRead } from "./use-asked.ts";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly body: string;
  readonly children?: ReactNode;
}

export function Empty({ icon, title, body, children }: EmptyProps) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{body}</p>
      {children}
    </div>
  );
}

interface ReadFailureProps {
  readonly code: BridgeErrorCode;
  /** What failed, in a sentence, if it was not reading. */
  readonly words?: string;
  readonly onRetry: () => void;
}

/** Shown instead of what could not be read or found out: why, and a button to try again. */
export function ReadFailure({ code, words, onRetry }: ReadFailureProps) {
  const { t, gap } = useTexts();
  return (
    <div className="read-failure" role="alert" data-testid="read-failure" data-code={code}>
      <Icon name="high" />
      <p className="read-failure-words">
        {(words ?? t("app.not_read")) + gap + t(`bridge_error.${code}`)}
      </p>
      <Button
        data-testid="read-again"
        onPress={() => {
          // Pressing the button removes it; this keeps the focus on the page.
          document.getElementById("content")?.focus({ preventScroll: true });
          onRetry();
        }}
      >
        {t("app.try_again")}
      </Button>
    </div>
  );
}

interface ReadStateProps<T> extends ReturnType<typeof useRead<T>> {
  readonly children: (found: T) => ReactNode;
}

export function ReadState<T>({ state, again, children }: ReadStateProps<T>) {
  const { t } = useTexts();
  if (state.kind === "found") return children(state.found);
  if (state.kind === "failed") return <ReadFailure code={state.code} onRetry={again} />;
  return (
    <p className="muted" role="status">
      {t("calls.reading")}
    </p>
  );
}

interface DrawGuardProps {
  /** Shown if the children cannot be rendered. */
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

/** An error while rendering one part does not affect the others. */
export class DrawGuard extends Component<DrawGuardProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
