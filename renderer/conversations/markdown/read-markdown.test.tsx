import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { LanguageProvider } from "../../language.tsx";
import { readMarkdown } from "./read-markdown.tsx";

const drawn = (text: string): string =>
  renderToStaticMarkup(<LanguageProvider language="en">{readMarkdown(text)}</LanguageProvider>);
const withoutButtons = (html: string): string => html.replaceAll(/<button.*?<\/button>/gs, "");

const TAGS =
  "p|strong|em|del|blockquote|ul|ol|li|code|pre|table|thead|tbody|tr|th|td|h3|h4|h5|h6|hr|br|sup|section|span|div|bdi|button|svg|path";
const ONE_TAG = new RegExp(`^</?(?:${TAGS})(?: [a-zA-Z-]+="[^"<>]*")* ?/?>$`);
const LEADING = /\s(?:href|src|srcset|on[a-z]+|style|srcdoc|action|formaction|poster|background)=/i;

function expectInert(html: string): void {
  for (const tag of html.match(/<[^>]*>/g) ?? []) {
    expect(tag).toMatch(ONE_TAG);
    expect(tag).not.toMatch(LEADING);
  }
}

test("headings, lists, tables, code and emphasis are drawn", () => {
  const html = drawn(
    "# One\n\n- a\n- [x] b\n\n3. c\n\n| x | y |\n| :-: | - |\n| 1 | **2** |\n\n```js\nlet a;\n```",
  );
  for (const part of [
    "<h3>One</h3>",
    "<li>a</li>",
    "☑ b",
    '<ol start="3">',
    '<td class="md-center">1</td>',
    "<strong>2</strong>",
    "<pre><code>let a;\n</code></pre>",
  ]) {
    expect(html).toContain(part);
  }
  expectInert(html);
});

test("HTML is its own text", () => {
  const html = drawn('<script>alert(1)</script>\n\nx <img src=x onerror="alert(1)"> <b>y</b>');
  expectInert(html);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
  expect(html).not.toContain("<b>");
});

test("a link is its words and its whole address, and leads nowhere", () => {
  const html = drawn("[my bank](https://evil.example/?a=1&b=2) and [x](javascript:alert(1))");
  expectInert(html);
  expect(html).not.toContain("<a");
  expect(html).toContain("my bank");
  expect(html).toContain("https://evil.example/?a=1&amp;b=2");
  expect(html).toContain("javascript:alert(1)");
});

test("an address that is its own words is not told twice", () => {
  const html = withoutButtons(drawn("see https://a.example/b and <me@a.example>"));
  expect(html.split("https://a.example/b")).toHaveLength(2);
  expect(html.split("me@a.example")).toHaveLength(2);
  expect(drawn("[https://good.example](https://evil.example)")).toContain("https://evil.example");
});

test("no picture is loaded: its words and address stand in its place", () => {
  const html = drawn(
    "![a cat](https://evil.example/beacon.png?id=7)\n\n![x][y]\n\n[y]: //e.example",
  );
  expectInert(html);
  expect(html).not.toContain("<img");
  expect(html).toContain("a cat");
  expect(html).toContain("https://evil.example/beacon.png?id=7");
});

test("what cannot be seen is an escape, also when it is written as a reference or in code", () => {
  const html = drawn(
    "a\u202eb &#x202e; `c\u200bd`\n\n```\ne\u2066f\n```\n\n[g\u200fh](http://i\u202e.example)",
  );
  expect(html).not.toMatch(/[\u200b\u200f\u202e\u2066]/);
  for (const code of ["202e", "200b", "2066", "200f"]) expect(html).toContain(`\\u{${code}}`);
});

test("footnotes bring no ids and no links back", () => {
  const html = drawn("a[^1]\n\n[^1]: <i>note</i>");
  expectInert(html);
  expect(html).not.toMatch(/ id="|user-content|↩/);
  expect(html).toContain("note");
});

test("whatever is written, only harmless elements come of it", () => {
  const pieces = fc.constantFrom(
    ..."<a href=x> <img src=x onerror=y> ![ ]( [ ]: <!-- --> ` ``` | - > * ** ~~ # &lt; &#x3c; </p> <?x?> <![CDATA[ ]]> javascript: data:text/html, \n \n\n \t \\ \u202e x".split(
      " ",
    ),
  );
  const text = fc
    .array(fc.oneof(pieces, fc.string()), { maxLength: 40 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(text, (written) => expectInert(drawn(written))),
    { numRuns: 200 },
  );
});

test("a text that is too long, too marked or too deep is not read as Markdown", () => {
  expect(readMarkdown("x".repeat(40_000))).toBeNull();
  expect(readMarkdown("*a ".repeat(10_000))).toBeNull();
  expect(readMarkdown(`${">".repeat(3_000)}x`)).toBeNull();
  expect(readMarkdown(`${"- ".repeat(3_000)}x`)).toBeNull();
  expect(readMarkdown("a\n".repeat(2_000))).toBeNull();
  expect(readMarkdown("word ".repeat(4_000))).not.toBeNull();
});

test("what is nested deeper than drawn keeps its text", () => {
  const html = drawn(`${"> ".repeat(40)}deep`);
  expectInert(html);
  expect(html).toContain("deep");
  expect(html.split("<blockquote>").length - 1).toBeLessThanOrEqual(32);
  expectInert(drawn(`${"**a *".repeat(200)}b${"* c**".repeat(200)}`));
});
