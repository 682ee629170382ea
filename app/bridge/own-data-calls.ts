import Type from "typebox";
import { LIMITS } from "../contract/limits.ts";
import type { FormerAgent } from "../contract/own-data.ts";
import { call, closed, type FileDelivery, Id } from "./call-shape.ts";

/** Why a file is not taken over. */
const IMPORT_FAULTS = [
  "not_an_export",
  "other_version",
  "line_unreadable",
  "cut_off",
  "file_changed",
  "file_too_large",
] as const;
type ImportFault = (typeof IMPORT_FAULTS)[number];

/** What a file would add, once it was checked to its end. */
export interface ImportSummary {
  /** Milliseconds since the epoch. */
  readonly exported_at: number;
  /** Of the program that exported it. */
  readonly version: string;
  readonly settings: boolean;
  /** Names, with the person's own before the agent's. */
  readonly agents: readonly string[];
  readonly conversations: number;
  readonly messages: number;
  /** Conversations that are here already: they stay as they are. */
  readonly known_conversations: number;
  /** Messages that are no text: they stay in the file. */
  readonly left_out: number;
}

/** `line`: where the fault is, from 1. */
export type ImportStep =
  | { readonly kind: "more" }
  | { readonly kind: "fault"; readonly fault: ImportFault; readonly line: number }
  | { readonly kind: "checked"; readonly summary: ImportSummary }
  | { readonly kind: "taken" };

const Part = Type.Object(
  {
    /** From 0, which begins anew. */
    number: Type.Integer({ minimum: 0 }),
    /** Base64. */
    bytes: Type.String({ maxLength: Math.ceil(LIMITS.importPartBytes / 3) * 4 }),
    last: Type.Boolean(),
  },
  closed,
);

/** The calls about everything of the person's as a file: a part of `CALLS`. */
export const OWN_DATA_CALLS = {
  "data.export": call<FileDelivery>()(Type.Object({}, closed)),
  /** Reads a file without changing anything; the page sends it in parts, in order. */
  "data.import_check": call<ImportStep>()(Part),
  /** Takes over the file that was just checked, sent again; it grants nothing. */
  "data.import_take": call<ImportStep>()(Part),
  /** Agents of imported files, with the permissions they had there. */
  "data.former": call<readonly FormerAgent[]>()(Type.Object({}, closed)),
  /** Removes an agent from the former ones. @throws `not_found` */
  "data.former_forget": call<null>()(Type.Object({ former_id: Id }, closed)),
  /**
   * Takes our entries out of other programs' settings, deletes all data and ends the program.
   * @throws `config_unreadable`, `config_not_editable`, `config_changed`, `file_unwritable`: an entry could not be
   * taken out, so no data was deleted
   */
  "data.remove": call<null>()(Type.Object({}, closed)),
} as const;
