import { describe, expect, test } from "vitest";
import type { CallArgs } from "../../app/bridge/calls.ts";
import { PAGE_ANSWER_MS } from "./page-services.ts";
import { startTestHost, type TestHost } from "./testing/running-host.ts";
import type { TestPage } from "./testing/test-page.ts";

const note = (title: string) => ({
  title,
  body: "b",
  agentName: "A",
  agentId: "a",
  conversationId: "c",
  replaces: "folded:a",
  folded: 2,
});

const UNABLE = { clipboard: false, clipboard_images: false, notifications: false, location: false };

async function report(page: TestPage, able: Partial<typeof UNABLE>) {
  page.send({ type: "call", id: 0, name: "page.abilities", args: { ...UNABLE, ...able } });
  await page.next();
}

async function pageWith(host: TestHost, able: Partial<typeof UNABLE>) {
  const page = await host.enter();
  await report(page, able);
  return page;
}

async function started(able: Partial<typeof UNABLE>) {
  const host = await startTestHost();
  const page = await pageWith(host, able);
  return { host, page, timers: host.time.pending };
}

async function requested(page: TestPage) {
  const { name, event } = await page.next();
  expect(name).toBe("page.request");
  return event as { request_id: string; kind: string; text?: string; title?: string };
}

function answer(page: TestPage, args: CallArgs<"page.answer">) {
  page.send({ type: "call", id: 1, name: "page.answer", args });
}

/** Answers the next request; what it was is the result. */
async function reply(page: TestPage, said: Omit<CallArgs<"page.answer">, "request_id">) {
  const { request_id, ...asked } = await requested(page);
  answer(page, { request_id, ...said });
  await page.next();
  return asked;
}

/** Handles the rejection at once, even if the test looks at it later. */
function outcome(work: Promise<unknown> | undefined): Promise<unknown> {
  return Promise.resolve(work).then(
    (value) => ({ value }),
    (error: unknown) => error,
  );
}

const never = () => new AbortController().signal;

/** A page that was asked for the text on its clipboard. */
async function askedForText(signal = never()) {
  const { host, page, timers } = await started({ clipboard: true });
  const reading = outcome(host.platform.clipboard()?.read(signal));
  return { host, page, timers, reading, ...(await requested(page)) };
}

describe("a service of the page", () => {
  test("is there only while a connected page reported it", async () => {
    const host = await startTestHost();
    expect(host.platform.clipboard()).toBeNull();
    const page = await pageWith(host, { clipboard: true });
    expect(host.platform.clipboard()).not.toBeNull();
    expect(host.platform.notifications()).toBeNull();
    await page.leave();
    await expect.poll(() => host.platform.clipboard()).toBeNull();
  });

  test("goes when the page takes its report back", async () => {
    const { host, page } = await started({ clipboard: true });
    await report(page, {});
    expect(host.platform.clipboard()).toBeNull();
  });

  test("gives the text the page answers with", async () => {
    const { host, page, timers, reading, request_id, kind } = await askedForText();
    expect(kind).toBe("clipboard.read");
    answer(page, { request_id, ok: true, text: "copied" });
    expect(await reading).toEqual({ value: "copied" });
    expect(host.time.pending).toBe(timers);
  });

  test("hands over what to write and what to show", async () => {
    const { host, page } = await started({ clipboard: true, notifications: true });
    const writing = host.platform.clipboard()?.write("text", never());
    const write = await reply(page, { ok: true });
    expect(write).toMatchObject({ kind: "clipboard.write", text: "text" });
    await writing;
    const showing = host.platform.notifications()?.show(note("A: t"), never());
    expect(await reply(page, { ok: true })).toEqual({
      kind: "notification.show",
      title: "A: t",
      body: "b",
      replaces: "folded:a",
      place: { agent_id: "a", conversation_id: "c" },
    });
    await showing;
  });

  test("carries an image both ways, and knows an empty clipboard", async () => {
    const { host, page } = await started({ clipboard_images: true });
    expect(host.platform.clipboard()).toBeNull();
    const images = host.platform.clipboardImages();
    const writing = images?.write(Buffer.from("PNG"), never());
    const write = await reply(page, { ok: true });
    expect(write).toMatchObject({ kind: "clipboard.write_image", image: "UE5H" });
    await writing;
    for (const [image, bytes] of [
      [{ image: "UE5H" }, Buffer.from("PNG")],
      [{}, null],
    ] as const) {
      const reading = images?.read(never());
      const { kind } = await reply(page, { ok: true, ...image });
      expect(kind).toBe("clipboard.read_image");
      expect(await reading).toEqual(bytes);
    }
  });

  test("gives the place the page's browser found, and why it found none", async () => {
    const { host, page } = await started({ location: true });
    const location = host.platform.location();
    const finding = location?.find("coarse", never());
    const position = { latitude: 1.5, longitude: 2.5, accuracy_m: 10, timestamp: 7 };
    const asked = await reply(page, { ok: true, position });
    expect(asked).toEqual({ kind: "location.find", accuracy: "coarse" });
    expect(await finding).toEqual({ ...position, source: "browser" });
    for (const [said, word] of [
      [{ ok: false, word: "access_denied" }, "access_denied"],
      [{ ok: false, word: "no_fix" }, "no_fix"],
      [{ ok: false }, "location_error"],
      [{ ok: true }, "location_error"],
    ] as const) {
      const failing = outcome(location?.find("fine", never()));
      await reply(page, said);
      expect(await failing).toMatchObject({ name: "ToolFailure", code: word });
    }
  });

  test("is unavailable when its page left before it was asked", async () => {
    const { host, page } = await started({ location: true, clipboard_images: true });
    const location = host.platform.location();
    await page.leave();
    await expect.poll(() => host.platform.location()).toBeNull();
    expect(await outcome(location?.find("fine", never()))).toMatchObject({
      name: "ToolUnavailable",
      code: "no_provider",
    });
  });

  test("keeps nothing of 10,000 requests that were cancelled", async () => {
    const { host, page, timers } = await started({ location: true, clipboard_images: true });
    for (let n = 0; n < 10_000; n += 1) {
      const ending = new AbortController();
      const finding = outcome(host.platform.location()?.find("fine", ending.signal));
      ending.abort();
      expect(await finding).toMatchObject({ code: "cancelled" });
    }
    expect(host.time.pending).toBe(timers);
    // A late answer to one of them is dropped: the next request is answered only by its own answer.
    const { request_id } = await requested(page);
    const reading = host.platform.clipboardImages()?.read(never());
    answer(page, { request_id, ok: true, image: "UE5H" });
    let asked = await requested(page);
    while (asked.kind === "location.find") asked = await requested(page);
    answer(page, { request_id: asked.request_id, ok: true });
    expect(await reading).toBeNull();
  });

  test("fails with a stable word when the page says no", async () => {
    const { page, reading, request_id } = await askedForText();
    answer(page, { request_id, ok: false });
    expect(await reading).toMatchObject({ name: "ToolFailure", code: "clipboard_error" });
  });

  test("fails after ten seconds of silence, and a late answer changes nothing", async () => {
    const { host, page, reading, request_id } = await askedForText();
    host.time.pass(PAGE_ANSWER_MS);
    expect(await reading).toMatchObject({ code: "clipboard_error" });
    answer(page, { request_id, ok: true, text: "late" });
    expect(await page.next()).toMatchObject({ type: "reply" });
  });

  test("fails at once when the page leaves", async () => {
    const { page, reading } = await askedForText();
    await page.leave();
    expect(await reading).toMatchObject({ code: "clipboard_error" });
  });

  test("stops waiting when the work is aborted", async () => {
    const ending = new AbortController();
    const { host, timers, reading } = await askedForText(ending.signal);
    ending.abort(new Error("revoked"));
    expect(await reading).toMatchObject({ name: "ToolFailure", code: "cancelled" });
    expect(host.time.pending).toBe(timers);
  });

  test("asks one page only: the able one that reported last", async () => {
    const { host, page: first } = await started({ notifications: true });
    const last = await pageWith(host, { notifications: true });
    const unable = await pageWith(host, {});
    const showing = host.platform.notifications()?.show(note("t"), never());
    await reply(last, { ok: true });
    await showing;
    host.fake.emit("hub.changed", {
      url: "http://127.0.0.1:1",
      own: true,
      connected: true,
      fault: null,
    });
    for (const page of [first, unable]) {
      expect(await page.next()).toMatchObject({ name: "hub.changed" });
    }
  });

  test("ignores an answer from a page that was not asked", async () => {
    const { host, page: other } = await started({});
    const page = await pageWith(host, { clipboard: true });
    const reading = host.platform.clipboard()?.read(never());
    const { request_id } = await requested(page);
    answer(other, { request_id, ok: true, text: "forged" });
    await other.next();
    answer(page, { request_id, ok: true, text: "true" });
    expect(await reading).toBe("true");
  });
});
