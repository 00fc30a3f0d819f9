import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { StartError } from '#src/platform/start-failure.js';
import type { Problems } from './problems.js';

export interface ElementSource {
  readonly path: string;
  /** Name of the arrays whose elements are wanted, members of the document itself or of objects in its array. */
  readonly member: string;
  readonly problems: Problems;
  readonly signal?: AbortSignal | undefined;
}

const maxElementBytes = 1 << 20;

const [quote, backslash, colon, lineFeed] = [0x22, 0x5c, 0x3a, 0x0a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Visits the objects of an array in a JSON document, each as its text with the line that it begins on. Holds one
 * block of the file and one object. Only what keeps the borders apart is looked at: the rest of the document may be
 * anything.
 * @throws StartError when the file cannot be read, or ends within the document
 */
export async function eachElement(
  { path, member, problems, signal }: ElementSource,
  visit: (text: string, line: number) => void,
): Promise<void> {
  /** The kinds of what is open, from outside to inside. */
  const open: number[] = [];
  let line = 1;
  let inText = false;
  let escaped = false;
  /** The latest text of an object that may be its key, and the key that the open value belongs to. */
  let letters: number[] = [];
  let key = '';
  /** Depth within the wanted array; 0 outside. */
  let wantedDepth = 0;
  let element: { pieces: Buffer[]; bytes: number; line: number } | undefined;
  let began = false;

  const finish = () => {
    if (element === undefined) return;
    const error = (message: string) =>
      problems.add({ severity: 'error', file: path, line: element?.line ?? line, message });
    const bytes = Buffer.concat(element.pieces);
    if (element.bytes > maxElementBytes) error(`longer than ${maxElementBytes} bytes`);
    else if (!isUtf8(bytes)) error('not UTF-8');
    else visit(bytes.toString(), element.line);
    element = undefined;
  };
  const keep = (piece: Buffer) => {
    if (element === undefined) return;
    element.bytes += piece.length;
    if (element.bytes <= maxElementBytes) element.pieces.push(Buffer.from(piece));
  };

  try {
    for await (const block of createReadStream(path, { highWaterMark: maxElementBytes, signal })) {
      if (!Buffer.isBuffer(block)) continue;
      let from = 0;
      for (let at = 0; at < block.length; at++) {
        const byte = block[at] ?? 0;
        if (byte === lineFeed) line++;
        if (inText) {
          if (escaped) escaped = false;
          else if (byte === backslash) escaped = true;
          else if (byte === quote) inText = false;
          else if (wantedDepth === 0 && letters.length <= member.length) letters.push(byte);
          continue;
        }
        switch (byte) {
          case quote:
            inText = true;
            letters = [];
            break;
          case colon:
            if (wantedDepth === 0) key = String.fromCharCode(...letters);
            break;
          case openBrace:
          case openBracket:
            began = true;
            if (wantedDepth > 0 && open.length === wantedDepth && byte === openBrace) {
              element = { pieces: [], bytes: 0, line };
              from = at;
            }
            open.push(byte);
            if (wantedDepth === 0 && byte === openBracket && key === member && isOutermost(open)) {
              wantedDepth = open.length;
            }
            key = '';
            break;
          case closeBrace:
          case closeBracket:
            if (open.pop() !== (byte === closeBrace ? openBrace : openBracket)) {
              throw new StartError(`${path}:${line}: not JSON: a bracket closes what it did not open`);
            }
            if (element !== undefined && open.length === wantedDepth) {
              keep(block.subarray(from, at + 1));
              finish();
            } else if (open.length < wantedDepth) {
              wantedDepth = 0;
            }
            break;
        }
      }
      if (element !== undefined) keep(block.subarray(from));
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new StartError(`${path} cannot be read: ${error.message}`);
  }
  if (!began || open.length > 0 || inText)
    throw new StartError(`${path}:${line}: not JSON: it ends too early`);
}

/** Whether a member of the document itself is open, or one of an object in its array. */
function isOutermost(open: readonly number[]): boolean {
  return open.length === 2 || (open.length === 3 && open[0] === openBracket);
}
