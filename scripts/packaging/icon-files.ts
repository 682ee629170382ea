/** Side in pixels → the picture as a PNG file. */
export type Pngs = ReadonlyMap<number, Uint8Array>;

export const ICON_SIDES = [16, 24, 32, 48, 64, 128, 256, 512, 1024] as const;

const ICO_SIDES = [16, 24, 32, 48, 64, 128, 256] as const;
/** The names Apple gives the sizes; a size for doubled pixels has a name of its own. */
const ICNS_TYPES: readonly (readonly [type: string, side: number])[] = [
  ["icp4", 16],
  ["icp5", 32],
  ["ic11", 32],
  ["ic12", 64],
  ["ic07", 128],
  ["ic13", 256],
  ["ic08", 256],
  ["ic14", 512],
  ["ic09", 512],
  ["ic10", 1024],
];

/** Windows' icon file with PNGs in it: a header, a directory, then the pictures. */
export function icoFile(pngs: Pngs): Uint8Array {
  const header = Buffer.alloc(6 + 16 * ICO_SIDES.length);
  header.writeUInt16LE(1, 2);
  header.writeUInt16LE(ICO_SIDES.length, 4);
  const pictures = ICO_SIDES.map((side) => pictureOf(pngs, side));
  let offset = header.length;
  for (const [index, side] of ICO_SIDES.entries()) {
    const at = 6 + 16 * index;
    const { length = 0 } = pictures[index] ?? {};
    // One byte each, in which 256 is written as 0.
    header.writeUInt8(side % 256, at);
    header.writeUInt8(side % 256, at + 1);
    header.writeUInt16LE(1, at + 4);
    header.writeUInt16LE(32, at + 6);
    header.writeUInt32LE(length, at + 8);
    header.writeUInt32LE(offset, at + 12);
    offset += length;
  }
  return Buffer.concat([header, ...pictures]);
}

/** Apple's icon file: parts of a type and a length, and their pictures. */
export function icnsFile(pngs: Pngs): Uint8Array {
  const parts = ICNS_TYPES.map(([type, side]) => icnsPart(type, pictureOf(pngs, side)));
  return icnsPart("icns", Buffer.concat(parts));
}

function icnsPart(type: string, content: Uint8Array): Uint8Array {
  const header = Buffer.alloc(8);
  header.write(type, "latin1");
  header.writeUInt32BE(header.length + content.length, 4);
  return Buffer.concat([header, content]);
}

function pictureOf(pngs: Pngs, side: number): Uint8Array {
  const png = pngs.get(side);
  if (png === undefined) throw new Error(`no picture of ${side} pixels`);
  return png;
}
