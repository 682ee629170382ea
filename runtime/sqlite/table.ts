import type { Database, Statement } from "better-sqlite3";
import { type Static, type TObject, type TSchema, Type } from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { type JsonValue, jsonOf } from "../../app/contract/json.ts";
import { storeError } from "./store-error.ts";

/** Column types that most tables need. */
export const Text = Type.String({ minLength: 1 });
/** Milliseconds since the epoch. */
export const Moment = Type.Integer({ minimum: 0 });
export const Sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export interface TableDefinition<Columns extends TObject> {
  readonly name: string;
  /** One property for each column, in any order. See `Table` for how values are stored. */
  readonly columns: Columns;
  /** The primary key. */
  readonly key: readonly (keyof Static<Columns> & string)[];
}

type Row = Record<string, unknown>;
type Codec = "plain" | "flag" | "json";

/**
 * A table whose rows are values of a TypeBox schema. The schema is the only place that names a column, besides the
 * migration that creates it:
 *
 * - texts, numbers and null are stored as they are;
 * - booleans are stored as 0 and 1; if optional, `false` is read as absent;
 * - objects and arrays are stored as RFC 8785 text, so equal values have equal columns and can be part of the key;
 * - any other optional property is NULL where absent.
 *
 * Reading checks each row and writing each value: unreadable rows never count as missing.
 */
export class Table<Columns extends TObject> {
  readonly #db: Database;
  readonly #name: string;
  readonly #key: readonly string[];
  readonly #codecs: readonly (readonly [column: string, codec: Codec, isOptional: boolean])[];
  readonly #isValue: (value: unknown) => value is Static<Columns>;
  readonly #statements = new Map<string, Statement<unknown[], Row>>();

  constructor(db: Database, { name, columns, key }: TableDefinition<Columns>) {
    this.#db = db;
    this.#name = name;
    this.#key = key;
    this.#isValue = guardOf(columns);
    const required = new Set(columns.required);
    this.#codecs = Object.entries(columns.properties).map(
      ([column, schema]) => [column, codecOf(schema), !required.has(column)] as const,
    );
  }

  /**
   * @param clause what follows `FROM` and the table's name
   * @throws StoreError `store_corrupt` with the table's name
   */
  all(clause = "", ...values: readonly unknown[]): readonly Static<Columns>[] {
    const columns = this.#codecs.map(([column]) => column).join(", ");
    const read = this.#prepare(`SELECT ${columns} FROM ${this.#name} ${clause}`);
    return read.all(...values).map((row) => this.#decode(row));
  }

  /** Within a write: inserts the row, or replaces the one with its key. @throws StoreError `store_refused` */
  put(value: Static<Columns>): void {
    const columns = this.#codecs.map(([column]) => column);
    const others = columns.filter((column) => !this.#key.includes(column));
    this.#prepare(
      `INSERT INTO ${this.#name} (${columns.join(", ")})
       VALUES (${columns.map((column) => `@${column}`).join(", ")})
       ON CONFLICT (${this.#key.join(", ")}) DO UPDATE SET
       ${others.map((column) => `${column} = excluded.${column}`).join(", ")}`,
    ).run(this.#encode(value));
  }

  /**
   * Within a write: changes some columns of the row with this key, if there is one.
   * @returns whether there is one
   */
  change(key: Partial<Static<Columns>>, changes: Partial<Static<Columns>>): boolean {
    const set = Object.keys(changes).map((column) => `${column} = @${column}`);
    const sql = `UPDATE ${this.#name} SET ${set.join(", ")} WHERE ${matching(key)}`;
    return this.#prepare(sql).run(this.#columnsOf({ ...changes, ...key })).changes > 0;
  }

  /** Within a write: deletes the rows that have these values. */
  delete(matches: Partial<Static<Columns>>): void {
    const sql = `DELETE FROM ${this.#name} WHERE ${matching(matches)}`;
    this.#prepare(sql).run(this.#columnsOf(matches));
  }

  #prepare(sql: string): Statement<unknown[], Row> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = this.#db.prepare<unknown[], Row>(sql);
    this.#statements.set(sql, made);
    return made;
  }

  #decode(row: Row): Static<Columns> {
    const value: Row = {};
    for (const [column, codec, isOptional] of this.#codecs) {
      const stored = row[column];
      const isAbsent = isOptional && (codec === "flag" ? stored === 0 : stored === null);
      if (!isAbsent) value[column] = decoded(codec, stored);
    }
    if (!this.#isValue(value)) throw storeError("store_corrupt", { details: this.#name });
    return value;
  }

  #encode(value: Static<Columns>): Row {
    if (!this.#isValue(value)) throw storeError("store_refused", { details: this.#name });
    const all = this.#codecs.map(([column]) => [column, undefined] as const);
    return this.#columnsOf({ ...Object.fromEntries(all), ...value });
  }

  #columnsOf(value: Readonly<Row>): Row {
    const row: Row = {};
    for (const [column, codec] of this.#codecs) {
      if (Object.hasOwn(value, column)) row[column] = encoded(codec, value[column]);
    }
    return row;
  }
}

function codecOf(schema: TSchema): Codec {
  const { anyOf } = schema as { readonly anyOf?: readonly TSchema[] };
  const types = (anyOf ?? [schema]).map((each) => ("type" in each ? each.type : undefined));
  const others = types.filter((type) => type !== "null");
  if (others.every((type) => type === "boolean")) return "flag";
  return others.every((type) => type === "object" || type === "array") ? "json" : "plain";
}

function encoded(codec: Codec, value: unknown): unknown {
  if (codec === "flag") return value === true ? 1 : 0;
  // Checked by the table's schema, whose objects and arrays are JSON.
  return codec === "json" && value != null ? canonicalJson(value as JsonValue) : (value ?? null);
}

/** What is not stored as its codec says stays as it is, and the table's schema refuses it. */
function decoded(codec: Codec, stored: unknown): unknown {
  if (codec === "flag") return stored === 0 || stored === 1 ? stored === 1 : stored;
  return codec === "json" && typeof stored === "string" ? (jsonOf(stored) ?? stored) : stored;
}

const matching = (values: object): string =>
  Object.keys(values)
    .map((column) => `${column} = @${column}`)
    .join(" AND ");
