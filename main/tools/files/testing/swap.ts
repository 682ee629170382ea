/** What the swapping process (`swapping-process.ts`) does over and over, at full speed. */
export type Swap =
  /** The file or folder goes away; a link to the outside stands in its place for a moment. */
  | { readonly kind: "link"; readonly place: string; readonly away: string; readonly bait: string }
  /** A link takes the file's place and gives it back, each in one step: it is never missing. */
  | { readonly kind: "over"; readonly place: string; readonly away: string; readonly bait: string }
  /** The same with another name of a FIFO. */
  | { readonly kind: "fifo"; readonly place: string; readonly away: string; readonly fifo: string }
  /** The folder is moved out of the root and back. */
  | { readonly kind: "move"; readonly place: string; readonly away: string };
