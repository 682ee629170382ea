import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter, compareBytes, equalBytes, utf8 } from "./bytes.ts";
import { expectRefusal } from "./testing/expect-refusal.ts";

const wellFormed = fc
  .string({ unit: "binary", minLength: 1, maxLength: 100 })
  .filter((text) => text.isWellFormed());

describe("fields", () => {
  it("are read as they were written, and nothing is left", () => {
    const fields = fc.record({
      small: fc.nat({ max: 255 }),
      count: fc.nat({ max: 0xffff_ffff }),
      large: fc.maxSafeNat(),
      text: wellFormed,
      bytes: fc.uint8Array({ maxLength: 300 }),
      maybe: fc.option(wellFormed),
    });
    fc.assert(
      fc.property(fields, ({ small, count, large, text, bytes, maybe }) => {
        const writer = new ByteWriter().u8(small).u32(count).u64(large).text(text);
        writer
          .bytes16(bytes)
          .bytes32(bytes)
          .optional(maybe, (value) => writer.text(value));
        const written = writer.done();
        const reader = new ByteReader(written);
        expect([reader.u8(), reader.u32(), reader.u64()]).toEqual([small, count, large]);
        expect(reader.text()).toBe(text);
        expect([reader.bytes16(), reader.bytes32()]).toEqual([bytes, bytes]);
        expect(reader.optional(() => reader.text())).toBe(maybe);
        reader.end();
      }),
    );
  });

  it("are big-endian, with their length before them", () => {
    const written = new ByteWriter().u16(0x0102).u64(1).text("ab").done();
    expect([...written]).toEqual([1, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 97, 98]);
  });

  it("keep a byte order mark, so that what is read is written alike again", () => {
    const written = new ByteWriter().text("\ufeffx").done();
    expect(new ByteReader(written).text()).toBe("\ufeffx");
  });

  it("are read the same after bytes that were no text, or the beginning of one", async () => {
    const text = new ByteWriter().text("é").done();
    for (const bad of [Uint8Array.of(0, 2, 0xff, 0xfe), Uint8Array.of(0, 1, 0xc3)]) {
      await expectRefusal("malformed", () => new ByteReader(bad).text());
      expect(new ByteReader(text).text()).toBe("é");
    }
  });

  it("are not written when no reader could read them", async () => {
    const writer = new ByteWriter();
    const wrong = [
      () => writer.u8(256),
      () => writer.u8(-1),
      () => writer.u16(0.5),
      () => writer.u64(2 ** 53),
      () => writer.text(""),
      () => writer.text("\udc00"),
      () => writer.text("é".repeat(257)),
      () => writer.fixed(new Uint8Array(31), 32),
      () => writer.bytes16(new Uint8Array(65_536)),
    ];
    for (const each of wrong) await expectRefusal("malformed", each);
  });

  it("are refused when they are not what they should be", async () => {
    const read = (...bytes: number[]) => new ByteReader(Uint8Array.from(bytes));
    const wrong = [
      () => read(1).u16(),
      () => read(0, 32, 0, 0, 0, 0, 0, 0).u64(),
      () => read(0, 0).text(),
      () => read(2, 1, ...utf8("x".repeat(513))).text(),
      () => read(0, 1, 0xff).text(),
      () => read(0, 3, 0xed, 0xa0, 0x80).text(),
      () => read(0, 2, 0xc0, 0x80).text(),
      () => read(0, 5, 1, 2).bytes16(),
      () => read(2).optional(() => 0),
      () => read(1).end(),
    ];
    for (const each of wrong) await expectRefusal("malformed", each);
  });
});

describe("comparing", () => {
  it("orders by the first byte that differs, the shorter first", () => {
    const bytes = (...each: number[]) => Uint8Array.from(each);
    expect(compareBytes(bytes(1, 2), bytes(1, 3))).toBeLessThan(0);
    expect(compareBytes(bytes(255), bytes(1, 1))).toBeGreaterThan(0);
    expect(compareBytes(bytes(1), bytes(1, 0))).toBeLessThan(0);
    expect(compareBytes(bytes(1, 0), bytes(1, 0))).toBe(0);
  });

  it("finds equal what is equal, and nothing else", () => {
    const some = fc.uint8Array({ maxLength: 4, max: 2 });
    fc.assert(
      fc.property(some, some, (a, b) => {
        expect(equalBytes(a, b)).toBe(Buffer.from(a).equals(b));
      }),
    );
  });
});
