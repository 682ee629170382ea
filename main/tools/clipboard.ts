import {
  CLIPBOARD_MAX_CHARS,
  type WriteClipboardArguments,
} from "../../app/contract/tools/clipboard.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import { platformCall } from "./platform-call.ts";
import type { ClipboardService, PlatformServices } from "./platform-services.ts";

/** `read_clipboard` (contract §4). Result: `ReadClipboardResult`. */
export function readClipboardTool(platform: PlatformServices): Tool {
  return {
    available: () => platform.clipboard() !== null,
    preflight: () => null,
    async run(_args, { signal }) {
      const text = await withClipboard(platform, signal, (service) => service.read(signal));
      return { text: requireFits(text) };
    },
  };
}

/** `write_clipboard` (contract §4). Result: `WriteClipboardResult`. */
export function writeClipboardTool(platform: PlatformServices): Tool {
  return {
    available: () => platform.clipboard() !== null,
    preflight: () => null,
    async run(args, { signal }) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const text = requireFits((args as WriteClipboardArguments).text);
      await withClipboard(platform, signal, (service) => service.write(text, signal));
      return { length: text.length };
    },
  };
}

function withClipboard<T>(
  platform: PlatformServices,
  signal: AbortSignal,
  use: (service: ClipboardService) => Promise<T>,
): Promise<T> {
  return platformCall("clipboard_error", signal, async () => {
    const service = platform.clipboard();
    if (service === null) throw new ToolFailure("clipboard_error");
    return use(service);
  });
}

function requireFits(text: string): string {
  if (text.length > CLIPBOARD_MAX_CHARS) throw new ToolFailure("too_large");
  return text;
}
