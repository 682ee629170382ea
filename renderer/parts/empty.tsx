import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly body: string;
  readonly children?: ReactNode;
}

/** A page or list with nothing to show, and why. */
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
