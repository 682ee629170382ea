import type { Notice } from "../../app/bridge/views.ts";

/** What the person must be told until they say they have read it; one notice a code. */
export class Notices {
  readonly #notices = new Map<Notice["code"], Notice>();
  readonly #onChange: () => void;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  list(): readonly Notice[] {
    return [...this.#notices.values()];
  }

  add(notice: Notice): void {
    this.#notices.set(notice.code, notice);
    this.#onChange();
  }

  dismiss(code: string): void {
    for (const notice of this.list()) {
      if (notice.code === code) this.#notices.delete(notice.code);
    }
    this.#onChange();
  }
}
