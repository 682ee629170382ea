import { Component, type ReactNode } from "react";

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
