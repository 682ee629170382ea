/**
 * The few globals that every JavaScript host has (browsers, Node, Electron) and that the
 * ECMAScript library files do not describe. `app/` is compiled without Node and DOM types, so
 * anything beyond this list is refused by the compiler.
 */
interface EventLike {
  readonly type: string;
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(
    type: "abort",
    listener: (event: EventLike) => void,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(type: "abort", listener: (event: EventLike) => void): void;
}

declare var AbortSignal: {
  any(signals: Iterable<AbortSignal>): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare var AbortController: {
  new (): AbortController;
};

interface TextEncoder {
  encode(text: string): Uint8Array<ArrayBuffer>;
}

declare var TextEncoder: {
  new (): TextEncoder;
};

interface TextDecoder {
  decode(bytes: Uint8Array): string;
}

declare var TextDecoder: {
  new (label?: "utf-8", options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder;
};

declare function btoa(binary: string): string;
declare function atob(base64: string): string;

interface URL {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: string;
  readonly username: string;
  readonly password: string;
}

declare var URL: {
  parse(url: string): URL | null;
};
