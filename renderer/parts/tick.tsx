import type { ReactNode } from "react";
import { Checkbox } from "react-aria-components";
import { Icon } from "./icon.tsx";

interface TickProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly testId: string;
  readonly className?: string;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

/** A checkbox and its words; both can be pressed. */
export function Tick({
  on,
  onChange,
  testId,
  className = "",
  isDisabled = false,
  children,
}: TickProps) {
  return (
    <Checkbox
      className={`tick ${className}`}
      isSelected={on}
      isDisabled={isDisabled}
      onChange={onChange}
      data-testid={testId}
    >
      <span className="tick-box" aria-hidden="true">
        {on ? <Icon name="ok" /> : null}
      </span>
      {children}
    </Checkbox>
  );
}
