import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";
import type { TextEdit } from "../../../../../app/contract/tools/edit-file.ts";
import { type MakeDirectoryJob, makeDirectory } from "../../../create-directory.ts";
import { type TrashJob, trashEntry } from "../../../delete-file.ts";
import { type EditJob, editContent } from "../../../edit-file.ts";
import { type MoveJob, moveEntry } from "../../../move-file.ts";
import { type WriteJob, writeContent } from "../../../write-file.ts";
import { type SharedNumbers, sharedNumbers } from "../../shared-numbers.ts";
import { FileHarness, wordOf } from "../../testing/file-harness.ts";

/** For tests: a writable root, with files beside it that must never change. */
export class ChangingHarness extends FileHarness {
  get homeTrash(): string {
    return this.beside("data", "Trash");
  }

  writeJob(path: string, content: string | Uint8Array, more: Partial<WriteJob> = {}): WriteJob {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const place = { rootPath: this.root, path };
    return { ...place, bytes, ifExists: "replace", seen: null, ...more };
  }

  editJob(path: string, edits: readonly TextEdit[], more: Partial<EditJob> = {}): EditJob {
    return { rootPath: this.root, path, edits, seen: null, ...more };
  }

  makeJob(path: string, parents = false): MakeDirectoryJob {
    return { rootPath: this.root, path, parents };
  }

  moveJob(from: string, to: string, more: Partial<MoveJob> = {}): MoveJob {
    const rootPath = this.root;
    const ends = { from: { rootPath, path: from }, to: { rootPath, path: to } };
    return { ...ends, overwrite: false, seen: null, ...more };
  }

  trashJob(path: string, more: Partial<TrashJob> = {}): TrashJob {
    const place = { rootPath: this.root, path };
    return { ...place, homeTrash: this.homeTrash, seen: null, ...more };
  }

  write(path: string, content: string | Uint8Array, more: Partial<WriteJob> = {}, stop = free()) {
    return writeContent(this.writeJob(path, content, more), stop);
  }

  edit(path: string, edits: readonly TextEdit[], more: Partial<EditJob> = {}, stop = free()) {
    return editContent(this.editJob(path, edits, more), stop);
  }

  make(path: string, parents = false, stop = free()) {
    return makeDirectory(this.makeJob(path, parents), stop);
  }

  move(from: string, to: string, more: Partial<MoveJob> = {}, stop = free()) {
    return moveEntry(this.moveJob(from, to, more), stop);
  }

  trash(path: string, more: Partial<TrashJob> = {}, stop = free()) {
    return trashEntry(this.trashJob(path, more), stop);
  }

  /** The word it fails with, after checking that nothing in the root or beside it has changed. */
  refused(work: () => unknown): string {
    const before = [this.names(), this.outside()];
    const word = wordOf(work);
    expect([this.names(), this.outside()]).toEqual(before);
    return word;
  }

  read(...names: string[]): string {
    return readFileSync(this.inside(...names), "utf8");
  }

  /** Names below a folder of the root, at any depth. */
  names(...below: string[]): string[] {
    return readdirSync(this.inside(...below), { recursive: true, encoding: "utf8" }).toSorted();
  }

  /** Everything beside the root, with the content of every file. */
  outside(): readonly string[] {
    return readdirSync(this.base, { recursive: true, withFileTypes: true })
      .filter(({ parentPath }) => !`${parentPath}/`.startsWith(`${this.root}/`))
      .map((entry) => {
        const path = `${entry.parentPath}/${entry.name}`;
        return entry.isFile() ? `${path}: ${readFileSync(path, "utf8")}` : path;
      })
      .toSorted();
  }
}

/** A flag that is already set. */
export function stopped(): SharedNumbers {
  const stop = sharedNumbers();
  Atomics.store(stop, 0, 1);
  return stop;
}

const free = sharedNumbers;
