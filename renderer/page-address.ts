import { PAGES, type PageName } from "./parts/navigation.tsx";

const ADDRESS = /^#\/([a-z]+)(?:\?(.*))?$/s;

/** The page that a fragment (`#/activity?status=error`) names; null where it names none. */
export const pageOf = (fragment: string): PageName | null =>
  PAGES.find((name) => name === ADDRESS.exec(fragment)?.[1]) ?? null;

/** What the fragment says about that page; "" where it says nothing. */
export const pageQuery = (fragment: string): string => ADDRESS.exec(fragment)?.[2] ?? "";

export const pageAddress = (page: PageName, query = ""): string =>
  query === "" ? `#/${page}` : `#/${page}?${query}`;
