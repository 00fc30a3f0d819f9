/** One top-level element of a BSON document: its type, its name, its start, and the range of its value. */
export interface Element {
  type: number;
  name: string;
  start: number;
  value: number;
  end: number;
}

/** BSON types whose values have a fixed width, by type byte. */
const FIXED = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0x7f, 0],
  [0xff, 0],
]);

/** Types whose value starts with an int32 length. The number is the size of the rest that the length does not count. */
const SIZED = new Map([
  [0x02, 4],
  [0x03, 0],
  [0x04, 0],
  [0x05, 5],
  [0x0c, 16],
  [0x0d, 4],
  [0x0e, 4],
  [0x0f, 0],
]);

function valueEnd(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED.get(type);
  if (fixed !== undefined) {
    return at + fixed;
  }
  const extra = SIZED.get(type);
  if (extra !== undefined) {
    return at + bytes.readInt32LE(at) + extra;
  }
  if (type === 0x0b) {
    return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1;
  }
  throw new RangeError(`unknown BSON type ${type}`);
}

/** The top-level elements of the BSON document in `bytes`. Nested values are skipped. */
export function scan(bytes: Buffer): Element[] {
  const elements: Element[] = [];
  const last = bytes.readInt32LE(0) - 1;
  let at = 4;
  while (at < last) {
    const type = bytes[at] ?? 0;
    const nameEnd = bytes.indexOf(0, at + 1);
    const end = valueEnd(bytes, type, nameEnd + 1);
    if (nameEnd < 0 || end > last || end <= at) {
      throw new RangeError('malformed BSON document');
    }
    elements.push({
      type,
      name: bytes.toString('latin1', at + 1, nameEnd),
      start: at,
      value: nameEnd + 1,
      end,
    });
    at = end;
  }
  return elements;
}

/** The text of a string element. */
export function text(bytes: Buffer, element: Element): string {
  return bytes.toString('utf8', element.value + 4, element.end - 1);
}

/** The value of a numeric or boolean element as a number. */
export function number(bytes: Buffer, element: Element): number {
  switch (element.type) {
    case 0x01:
      return bytes.readDoubleLE(element.value);
    case 0x08:
      return bytes[element.value] ?? 0;
    case 0x10:
      return bytes.readInt32LE(element.value);
    case 0x12:
      return Number(bytes.readBigInt64LE(element.value));
    default:
      return Number.NaN;
  }
}

/**
 * The document without the elements that `dropped` names, as new bytes. If the document has none of them, the same
 * bytes.
 */
export function without(bytes: Buffer, elements: readonly Element[], dropped: ReadonlySet<string>): Buffer {
  const parts: Buffer[] = [];
  let size = 5;
  let from = -1;
  let to = -1;
  for (const element of elements) {
    if (dropped.has(element.name)) {
      continue;
    }
    if (element.start !== to) {
      if (from >= 0) {
        parts.push(bytes.subarray(from, to));
        size += to - from;
      }
      from = element.start;
    }
    to = element.end;
  }
  if (from === 4 && to === bytes.length - 1) {
    return bytes;
  }
  if (from >= 0) {
    parts.push(bytes.subarray(from, to));
    size += to - from;
  }
  const out = Buffer.allocUnsafe(size);
  out.writeInt32LE(size, 0);
  let at = 4;
  for (const part of parts) {
    part.copy(out, at);
    at += part.length;
  }
  out[at] = 0;
  return out;
}
