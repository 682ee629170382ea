import { Component, type ReactNode } from "react";

interface DrawGuardProps {
  /** What stands there when the rest cannot be drawn. */
  readonly instead: ReactNode;
  readonly children: ReactNode;
}

/** A fault in drawing one part leaves the others standing. */
export class DrawGuard extends Component<DrawGuardProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? this.props.instead : this.props.children;
  }
}
