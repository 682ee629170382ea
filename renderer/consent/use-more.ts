import { type RefObject, useLayoutEffect, useState } from "react";

/** Whether scrolling content continues beyond its edges. */
export interface More {
  readonly above: boolean;
  readonly below: boolean;
}

/** In pixels: positions are fractions if the page is zoomed. */
const SLACK = 1;
const NONE: More = { above: false, below: false };

function moreOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): More {
  return {
    above: scrollTop > SLACK,
    below: scrollHeight - clientHeight - scrollTop > SLACK,
  };
}

/** Watches an element's scrolling, its size and the size of its content. */
export function useMore(element: RefObject<HTMLElement | null>): More {
  const [more, setMore] = useState(NONE);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const look = (): void => {
      const next = moreOf(target);
      setMore((before) =>
        before.above === next.above && before.below === next.below ? before : next,
      );
    };
    look();
    const sizes = new ResizeObserver(look);
    for (const each of [target, ...target.children]) sizes.observe(each);
    target.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      target.removeEventListener("scroll", look);
    };
  }, [element]);
  return more;
}
