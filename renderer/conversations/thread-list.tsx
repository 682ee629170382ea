import type { RefObject } from "react";
import { Virtualizer } from "virtua";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { Row } from "./grouped-rows.ts";
import { ItemRow } from "./item-row.tsx";
import { useFocusedRow } from "./use-focused-row.ts";
import { usePrepended } from "./use-prepended.ts";

/** Pixels drawn beyond each end of the visible part. */
const OVERSCAN = 600;

interface ThreadListProps {
  readonly rows: readonly Row[];
  readonly view: ConversationView;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<HTMLDivElement | null>;
  /** Height in pixels of what is above it and scrolls with it. */
  readonly above: number;
}

/**
 * The messages and calls near the visible part, of any number and height. When older ones are added
 * above, the visible part does not move; the focused row is always drawn.
 */
export function ThreadList({ rows, view, scroller, list, above }: ThreadListProps) {
  const keys = rows.map(({ item }) => item.item_id);
  const focused = useFocusedRow(list);
  const at = focused === null ? -1 : keys.indexOf(focused);
  return (
    <div ref={list}>
      <Virtualizer
        as="ol"
        item="li"
        scrollRef={scroller}
        startMargin={above}
        bufferSize={OVERSCAN}
        shift={usePrepended(keys)}
        keepMounted={at === -1 ? [] : [at]}
      >
        {rows.map((row) => (
          <ItemRow key={row.item.item_id} row={row} view={view} />
        ))}
      </Virtualizer>
    </div>
  );
}
