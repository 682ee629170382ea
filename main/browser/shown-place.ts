/**
 * Where requests count as seen: of the pages in view, the one that the person used last (contract
 * §3). Only there a request's time begins, so it never runs for a card that is out of sight on the
 * page in front of the person, because another page happens to show it.
 */
export interface ShownPlace<Page> {
  /** The person used this page, or, with `inView` false, it went out of view. */
  attended(page: Page, inView: boolean): void;
  left(page: Page): void;
  isAt(page: Page): boolean;
}

export function createShownPlace<Page>(): ShownPlace<Page> {
  /** The last one is where the person is. */
  const inView = new Set<Page>();
  return {
    attended(page, seen) {
      inView.delete(page);
      if (seen) inView.add(page);
    },
    left: (page) => void inView.delete(page),
    isAt: (page) => [...inView].at(-1) === page,
  };
}
