import { manifestFor } from "../manifest-for.ts";

/** One tool of each sensitivity, so that every kind of answer can be seen. */
export const manifest = manifestFor(
  ["send_notification", "list_directory", "read_file", "read_clipboard", "write_clipboard"],
  {
    name: "sample",
    version: "1.0.0",
    flags: { supports_artifacts: true, supports_streaming: false },
    scopes: {
      "notification:send": {
        label_fallback: "Show notifications",
        description_fallback: "Tell you when the sample agent has started.",
      },
      "filesystem:read": {
        label_fallback: "Read files",
        description_fallback: "List one folder you choose and read the notes in it.",
      },
      "clipboard:read": {
        label_fallback: "Read the clipboard",
        description_fallback: "Ask you each time before it looks at copied text.",
        // Stricter than the preset "medium": a manifest may raise a sensitivity (contract §2.6).
        sensitivity: "high",
      },
      "clipboard:write": { description_fallback: "Put text on the clipboard for you to paste." },
    },
  },
);
