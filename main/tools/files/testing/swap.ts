/** What the swapping process (`swapping-process.ts`) does over and over, as fast as it can. */
export type Swap =
  /** Moves the file or folder away, and puts a link to the outside in its place for a moment. */
  | { readonly kind: "link"; readonly place: string; readonly away: string; readonly bait: string }
  /** A link replaces the file and gives way again, each in one step: the name always exists. */
  | { readonly kind: "over"; readonly place: string; readonly away: string; readonly bait: string }
  /** The same with a FIFO. */
  | { readonly kind: "fifo"; readonly place: string; readonly away: string; readonly fifo: string }
  /** Moves the folder out of the root and back. */
  | { readonly kind: "move"; readonly place: string; readonly away: string };
