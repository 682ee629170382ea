// Our file service with the built worker: `<root> read <file> <bytes>`, `<root> search <what> <matches>`.
import { READ_FILE_MAX_BYTES } from "../../app/contract/tools/read-file.ts";
import { SEARCH_FILES_MAX_RESULTS } from "../../app/contract/tools/search-files.ts";
import { createFileService } from "../../main/tools/files/file-service.ts";
import { readFileTool } from "../../main/tools/read-file.ts";
import { searchFilesTool } from "../../main/tools/search-files.ts";
import { serveTurns } from "./serve-turns.ts";

const [rootPath = "", kind, what = "", expected] = process.argv.slice(2);
const files = createFileService({
  workerUrl: new URL("../../dist/main/file-worker.js", import.meta.url),
});
const by = { agent_id: "agent", signal: new AbortController().signal };

async function read(): Promise<number> {
  let offset = 0;
  for (let whole = false; !whole; ) {
    const slice = { rootPath, path: what, offset, length: READ_FILE_MAX_BYTES };
    const result = await files.run(readFileTool, { ...slice, encoding: "utf-8" }, by);
    offset += result.content.length;
    whole = result.end_of_file;
  }
  return offset;
}

async function search(): Promise<number> {
  const usual = { case_sensitive: true, include_hidden: true };
  const job = { rootPath, path: rootPath, ...usual, max_results: SEARCH_FILES_MAX_RESULTS };
  const { matches } = await files.run(searchFilesTool, { ...job, ...JSON.parse(what) }, by);
  return matches.length;
}

serveTurns(
  async () => {
    const came = await (kind === "read" ? read() : search());
    if (came !== Number(expected)) throw new Error(`${kind} gave ${came}`);
  },
  () => files.close(),
);
