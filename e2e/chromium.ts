import type { LaunchOptions } from "playwright-core";

/** Flags that make Chromium run anywhere, and look the same everywhere. */
const PLAIN_ARGS = [
  // An emulated GPU takes both processors for 100 to 200 ms for some pictures, and crashes now and then.
  "--disable-gpu",
  "--font-render-hinting=none",
  "--no-pings",
  "--no-default-browser-check",
  "--disable-domain-reliability",
  // A microphone that beeps, and a person who allows it: a browser without a window asks nobody.
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
] as const;

/**
 * How to launch Chromium with playwright-core: the one at `CONSENTRY_CHROMIUM` when that is set,
 * else the one in @sparticuz/chromium. That package's own flags are not taken over: they switch
 * off the web security that is under test.
 */
export async function chromiumLaunchOptions(): Promise<
  Required<Pick<LaunchOptions, "executablePath" | "args" | "headless">>
> {
  return {
    executablePath: process.env.CONSENTRY_CHROMIUM ?? (await unpackedChromium()),
    args: isRoot() ? [...PLAIN_ARGS, "--no-sandbox", "--disable-setuid-sandbox"] : [...PLAIN_ARGS],
    headless: true,
  };
}

async function unpackedChromium(): Promise<string> {
  // Makes the package unpack its shared libraries too and point the loader at them.
  process.env.AWS_LAMBDA_JS_RUNTIME ??= "nodejs22.x";
  const { default: chromium } = await import("@sparticuz/chromium");
  return chromium.executablePath();
}

/** Chromium's own sandbox refuses to run as root. */
const isRoot = (): boolean => process.getuid?.() === 0;
