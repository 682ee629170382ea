import type { LaunchOptions } from "playwright-core";

/** Draws as with a GPU, which is emulated: the same everywhere, and slow. */
const EMULATED_GPU = [
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--in-process-gpu",
] as const;

/** Draws without any: an emulated one takes 100 to 200 ms of both processors for some pictures. */
export const NO_GPU = ["--disable-gpu"] as const;

/** Flags that make Chromium run anywhere, and look the same everywhere. */
const PLAIN_ARGS = [
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
export async function chromiumLaunchOptions(
  gpu: readonly string[] = EMULATED_GPU,
): Promise<Required<Pick<LaunchOptions, "executablePath" | "args" | "headless">>> {
  const args = [...PLAIN_ARGS, ...gpu];
  return {
    executablePath: process.env.CONSENTRY_CHROMIUM ?? (await unpackedChromium()),
    args: isRoot() ? [...args, "--no-sandbox", "--disable-setuid-sandbox"] : args,
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
