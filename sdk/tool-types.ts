// Written by `npm run docs:reference`. docs/tools.md says what each field means.

import type { JsonObject, JsonValue } from "../app/contract/json.ts";

/** What `callTool` takes: of a tool that is not Consentry's, any JSON object. */
export type ToolArguments<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name]["args"]
  : JsonObject;

/** What `callTool` resolves with. */
export type ToolResult<Name extends string> = Name extends keyof ToolTypes
  ? ToolTypes[Name]["result"]
  : JsonValue;

/** The names of Consentry's tools. */
export type ToolName = Exclude<keyof ToolTypes, "fetch_web_page">;

/** Arguments and result of each of Consentry's tools, by its name. */
export interface ToolTypes {
  read_file: {
    args:
      | {
          readonly path: string;
          readonly offset?: number;
          readonly length?: number;
          readonly encoding?: "utf-8" | "base64";
        }
      | {
          readonly path: string;
          readonly line_start?: number;
          readonly line_count?: number;
          readonly encoding?: "utf-8";
        };
    result: {
      readonly content: string;
      readonly encoding: "utf-8" | "base64";
      readonly offset: number;
      readonly length: number;
      readonly size_bytes: number;
      readonly end_of_file: boolean;
      readonly line_start?: number;
      readonly lines?: number;
    };
  };
  list_directory: {
    args: {
      readonly path: string;
      readonly after?: string;
      readonly limit?: number;
    };
    result: {
      readonly entries: readonly {
        readonly name: string;
        readonly type: "file" | "directory" | "symlink" | "other";
        readonly size_bytes?: number;
      }[];
      readonly next_after: string | null;
      readonly names_skipped: number;
    };
  };
  search_files: {
    args: {
      readonly path: string;
      readonly glob?: string;
      readonly text?: string;
      readonly case_sensitive?: boolean;
      readonly max_results?: number;
      readonly include_hidden?: boolean;
    };
    result: {
      readonly matches: readonly {
        readonly path: string;
        readonly line?: number;
        readonly column?: number;
        readonly preview?: string;
      }[];
      readonly files_searched: number;
      readonly binary_skipped: number;
      readonly large_skipped: number;
      readonly unreadable_skipped: number;
      readonly names_skipped: number;
      readonly truncated: "max_results" | "max_bytes" | null;
    };
  };
  get_file_info: {
    args: {
      readonly path: string;
    };
    result: {
      readonly type: "file" | "directory" | "symlink" | "other";
      readonly size_bytes: number;
      readonly modified_at: string;
      readonly created_at?: string;
      readonly mode?: string;
      readonly is_readable: boolean;
    };
  };
  write_file: {
    args:
      | {
          readonly path: string;
          readonly content: string;
          readonly encoding?: "utf-8";
          readonly if_exists?: "replace" | "fail";
        }
      | {
          readonly path: string;
          readonly content: string;
          readonly encoding: "base64";
          readonly if_exists?: "replace" | "fail";
        };
    result: {
      readonly created: boolean;
      readonly bytes_written: number;
      readonly sha256: string;
    };
  };
  edit_file: {
    args: {
      readonly path: string;
      readonly edits: readonly {
        readonly old_text: string;
        readonly new_text: string;
        readonly replace_all?: boolean;
      }[];
    };
    result: {
      readonly replacements: number;
      readonly bytes_written: number;
      readonly sha256: string;
    };
  };
  create_directory: {
    args: {
      readonly path: string;
      readonly parents?: boolean;
    };
    result: {
      readonly created: boolean;
    };
  };
  move_file: {
    args: {
      readonly from: string;
      readonly to: string;
      readonly overwrite?: boolean;
    };
    result: {
      readonly type: "file" | "directory";
      readonly overwrote: boolean;
    };
  };
  delete_file: {
    args: {
      readonly path: string;
    };
    result: {
      readonly type: "file" | "directory";
    };
  };
  read_clipboard: {
    args: {
      readonly format?: "text" | "image";
    };
    result:
      | {
          readonly text: string;
        }
      | {
          readonly image: string;
          readonly mime_type: "image/png";
          readonly width: number;
          readonly height: number;
          readonly size_bytes: number;
        };
  };
  write_clipboard: {
    args:
      | {
          readonly text: string;
        }
      | {
          readonly image: string;
        };
    result:
      | {
          readonly length: number;
        }
      | {
          readonly width: number;
          readonly height: number;
          readonly size_bytes: number;
        };
  };
  send_notification: {
    args: {
      readonly title: string;
      readonly body?: string;
    };
    result: {
      readonly shown: true;
      readonly folded: boolean;
    };
  };
  fetch_url: {
    args:
      | {
          readonly url: string;
          readonly headers?: { readonly [name: string]: string };
          readonly method?: "GET" | "HEAD";
        }
      | {
          readonly url: string;
          readonly headers?: { readonly [name: string]: string };
          readonly method: "POST";
          readonly body?: string;
        };
    result: {
      readonly status_code: number;
      readonly headers: { readonly [name: string]: string };
      readonly body: string;
      readonly body_encoding: "utf-8" | "base64";
      readonly url: string;
    };
  };
  get_location: {
    args: {
      readonly accuracy?: "coarse" | "fine";
    };
    result: {
      readonly latitude: number;
      readonly longitude: number;
      readonly accuracy_m: number;
      readonly timestamp: number;
      readonly source: "geoclue" | "browser";
    };
  };
  run_command: {
    args: {
      readonly argv: readonly string[];
      readonly directory: string;
      readonly network?: boolean;
      readonly stdin?: string;
    };
    result: {
      readonly exit_code: number | null;
      readonly signal: string | null;
      readonly stdout: string;
      readonly stdout_encoding: "utf-8" | "base64";
      readonly stderr: string;
      readonly stderr_encoding: "utf-8" | "base64";
      readonly duration_ms: number;
      readonly sandbox: "bubblewrap" | "landlock" | "sandbox-exec" | null;
    };
  };
  fetch_web_page: ToolTypes["fetch_url"];
}
