import type { PageImages } from "./page-images.ts";
import { type Cell, readRow } from "./row-record.ts";
import { readVarint } from "./varint.ts";

const TABLE_LEAF = 0x0d;
const LEAF_HEADER_BYTES = 8;
/** The first page begins with the database's header. */
const DATABASE_HEADER_BYTES = 100;
/** Maximum bytes of a row that continues on other pages; ours are far smaller. */
const PAYLOAD_MAX = 1_048_576;

export interface LeafRow {
  readonly rowid: number;
  readonly cells: readonly Cell[];
}

/**
 * The rows of one page of a table, as far as they can be read (SQLite file format §1.6); none if
 * the page is of another kind or damaged.
 */
export function leafRows(images: PageImages, index: number): readonly LeafRow[] {
  const { page, bytes } = images.image(index);
  const header = page === 1 ? DATABASE_HEADER_BYTES : 0;
  if (bytes[header] !== TABLE_LEAF) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = view.getUint16(header + 3);
  const rows: LeafRow[] = [];
  for (let cell = 0; cell < count; cell += 1) {
    const pointer = header + LEAF_HEADER_BYTES + cell * 2;
    if (pointer + 2 > bytes.length) break;
    const row = readCell(images, bytes, view.getUint16(pointer));
    if (row !== null) rows.push(row);
  }
  return rows;
}

function readCell(images: PageImages, bytes: Uint8Array, at: number): LeafRow | null {
  const length = readVarint(bytes, at);
  const rowid = length === null ? null : readVarint(bytes, length.end);
  if (length === null || rowid === null || length.value > PAYLOAD_MAX) return null;
  const payload = payloadOf(images, bytes, rowid.end, length.value);
  const cells = payload === null ? null : readRow(payload);
  return cells === null ? null : { rowid: rowid.value, cells };
}

/** A long payload begins here and continues on a chain of pages. */
function payloadOf(
  images: PageImages,
  bytes: Uint8Array,
  at: number,
  length: number,
): Uint8Array | null {
  const usable = images.pageSize;
  const most = usable - 35;
  if (length <= most) return at + length > usable ? null : bytes.subarray(at, at + length);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((length - least) % (usable - 4));
  const local = wanted <= most ? wanted : least;
  if (at + local + 4 > usable) return null;
  const payload = new Uint8Array(length);
  payload.set(bytes.subarray(at, at + local));
  let next = pageNumber(bytes, at + local);
  for (let filled = local; filled < length; filled += usable - 4) {
    if (next === 0) return null;
    const page = images.page(next);
    payload.set(page.subarray(4, 4 + Math.min(usable - 4, length - filled)), filled);
    next = pageNumber(page, 0);
  }
  return payload;
}

const pageNumber = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
