/**
 * Decides whether a click on an approving button is one that the person meant: the press that
 * led to it must have begun while the button was armed. A click that brought the window to the
 * front, a key already held down and a button that came under the pointer are swallowed.
 */
export interface PressGuard {
  pressed(press: { readonly armed: boolean; readonly repeated: boolean }): void;
  /** Assistive technology may click without a press; then being armed is enough. */
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
