/**
 * Decides whether the person meant a click on an approving button: the press that led to it must
 * have begun while the button was armed. This ignores a click that only activated the window, a key
 * that was already held down, and a button that moved under the pointer.
 */
export interface PressGuard {
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
