import { JsonLines } from './json-lines.js';

const lineFeed = 0x0a;
/** A line that is longer is an organization. A record has at most 1 MiB. */
const longestBuffered = 4 * 1_048_576;
/** Bytes that are sent together. */
const enough = 65_536;

/**
 * Yields the elements of a list of organizations (json-lines.ts). It holds one line of at most 4 MiB.
 * @param name of the file, for errors
 */
export async function* listOfLines(text: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const lines = new JsonLines(name);
  /** The current line until here. Undefined: the line is long, and goes out as it comes. */
  let line: Buffer[] | undefined = [];
  let length = 0;
  let out: Buffer[] = [];
  let outLength = 0;
  const put = (pieces: readonly Buffer[]) => {
    for (const piece of pieces) {
      out.push(piece);
      outLength += piece.length;
    }
  };
  const extend = (piece: Buffer) => {
    length += piece.length;
    if (line === undefined) put([piece]);
    else line.push(piece);
    if (line !== undefined && length > longestBuffered) {
      put([...lines.addLong(), ...line]);
      line = undefined;
    }
  };
  const endLine = () => {
    put(line === undefined ? [Buffer.of(lineFeed)] : lines.add(Buffer.concat(line)));
    line = [];
    length = 0;
  };
  for await (const chunk of text) {
    let from = 0;
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, from)) {
      extend(chunk.subarray(from, at));
      endLine();
      from = at + 1;
    }
    extend(chunk.subarray(from));
    if (outLength < enough) continue;
    yield Buffer.concat(out, outLength);
    out = [];
    outLength = 0;
  }
  endLine();
  put(lines.end());
  yield Buffer.concat(out, outLength);
}
