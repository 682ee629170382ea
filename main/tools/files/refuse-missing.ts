import { type Preview, type PreviewContext, ToolFailure } from "../../../app/execution/ports.ts";
import type { FileService } from "./file-service.ts";
import { innermostRoot } from "./paths/folder-preflight.ts";
import type { PathPlatform } from "./paths/path-rules.ts";

const NOTHING: Preview = { shown: null, seen: null };

/**
 * The person is not asked about reading what is not there (contract §4). Only in a folder that the agent was
 * given: of any other one it learns nothing before the person has answered.
 *
 * @returns the step that looks, which shows nothing and throws ToolFailure `not_found`
 */
export const refuseMissing =
  (files: Pick<FileService, "info">, platform: PathPlatform) =>
  async ({ path }: { readonly path: string }, by: PreviewContext): Promise<Preview> => {
    const root = innermostRoot(path, by.given, platform);
    if (root === null) return NOTHING;
    try {
      await files.info({ rootPath: root.path, path }, by);
    } catch (error) {
      if (error instanceof ToolFailure && error.word === "not_found") throw error;
      // Whatever else is wrong, the call itself says once it is allowed.
    }
    return NOTHING;
  };
