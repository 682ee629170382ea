import type { LaunchOptions } from "playwright-core";

/** Flags that make Chromium run where there is no GPU, and look the same everywhere. */
const PLAIN_ARGS = [
  "--font-render-hinting=none",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--in-process-gpu",
  "--no-pings",
  "--no-default-browser-check",
  "--disable-domain-reliability",
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
