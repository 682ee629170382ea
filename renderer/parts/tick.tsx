import type { ReactNode } from "react";
import { Checkbox, Switch } from "react-aria-components";
import { Icon } from "./icon.tsx";

interface TickProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly testId: string;
  readonly className?: string;
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

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

interface OnOffProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly testId: string;
  readonly className?: string;
  readonly isDisabled?: boolean;
  /** The element with its name, if that is not all its words. */
  readonly labelledBy?: string;
  readonly describedBy?: string;
  /** Shown before the switch. */
  readonly before?: ReactNode;
  readonly children: ReactNode;
}

export function OnOff(props: OnOffProps) {
  const { on, onChange, testId, className = "", isDisabled = false, before, children } = props;
  const { labelledBy, describedBy } = props;
  return (
    <Switch
      className={`on-off ${className}`}
      isSelected={on}
      onChange={onChange}
      isDisabled={isDisabled}
      data-testid={testId}
      {...(labelledBy === undefined ? {} : { "aria-labelledby": labelledBy })}
      {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
    >
      {before}
      <span className="switch" aria-hidden="true" />
      {children}
    </Switch>
  );
}
