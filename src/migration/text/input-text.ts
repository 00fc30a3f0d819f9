import { StartError } from '#src/platform/start-error.js';
import { maxRecordBytes } from '../format/record-size.js';
import { InputFile } from './input-file.js';
import { foreignFile, textEncoding } from './text-form.js';
import { packingOf, unpacked } from './unpacked.js';

/** The bytes by which the form of a file is recognized. */
const headBytes = 4_096;
const pieceBytes = 256 * 1024;

/**
 * The text of an input file in UTF-8, without its byte order mark, whatever the form of the file: plain or compressed with gzip or zstd, in
 * UTF-8 or in UTF-16. The file may be a pipe. All converters read through this class. Whether the text is valid UTF-8 is for the reader of
 * its records to say, because it can name the line.
 */
export class InputText {
  readonly #file: InputFile;
  /** Whether the rest of the text is the rest of the file. */
  readonly isPlain: boolean;
  /** The text that comes before the rest. */
  #held: Buffer;
  readonly #rest: AsyncIterator<Buffer> | undefined;

  /** @param rest of a text that is not the rest of the file */
  private constructor(file: InputFile, held: Buffer, rest: AsyncIterator<Buffer> | undefined) {
    this.#file = file;
    this.#held = held;
    this.#rest = rest;
    this.isPlain = rest === undefined;
  }

  /**
   * @param signal ends also the wait for a pipe that brings little
   * @throws StartError when the file cannot be read, or is of a form that no converter reads; the reason of the signal
   */
  static async open(path: string, signal?: AbortSignal): Promise<InputText> {
    const file = await InputFile.open(path);
    try {
      const head = await headOf(file, signal);
      const packing = packingOf(head);
      if (packing === undefined) return withEncoding(head);
      const pieces = unpacked(piecesOf(file, head), { packing, name: path });
      return await ofPieces(pieces);
    } catch (error) {
      await file.close();
      throw error;
    }

    function withEncoding(head: Buffer): InputText {
      const { encoding, markBytes } = formOf(head, path);
      const text = head.subarray(markBytes);
      if (encoding === 'utf-8') return new InputText(file, text, undefined);
      return new InputText(file, empty, decoded(piecesOf(file, text), { encoding, path }));
    }

    async function ofPieces(pieces: AsyncGenerator<Buffer>) {
      const head = await beginningOf(pieces);
      const { encoding, markBytes } = formOf(head, path);
      const text = head.subarray(markBytes);
      if (encoding === 'utf-8') return new InputText(file, text, pieces);
      return new InputText(file, empty, decoded(following(text, pieces), { encoding, path }));
    }
  }

  /**
   * Reads into a part of a buffer. Returns the number of bytes, 0 at the end.
   * @throws StartError when the file cannot be read, or is not whole
   */
  async read(buffer: Buffer, offset: number, length: number): Promise<number> {
    while (this.#held.length === 0 && this.#rest !== undefined) {
      const piece = await this.#piece();
      if (piece === undefined) return 0;
      this.#held = piece;
    }
    if (this.#held.length > 0) {
      const taken = this.#held.copy(buffer, offset, 0, length);
      this.#held = this.#held.subarray(taken);
      return taken;
    }
    return this.#file.read(buffer, offset, length);
  }

  /** Yields the text in blocks of at most {@link maxRecordBytes}. No block is used again. */
  async *blocks(signal?: AbortSignal): AsyncGenerator<Buffer> {
    for (;;) {
      signal?.throwIfAborted();
      const block = Buffer.allocUnsafe(maxRecordBytes);
      const length = await this.read(block, 0, block.length);
      if (length === 0) return;
      yield block.subarray(0, length);
    }
  }

  /** The first bytes of the text, at most `length`. They are read once more afterwards. */
  async beginning(length: number, signal?: AbortSignal): Promise<Buffer> {
    const pieces = [this.#held];
    let held = this.#held.length;
    while (held < length) {
      signal?.throwIfAborted();
      const piece = await this.#piece();
      if (piece === undefined) break;
      pieces.push(piece);
      held += piece.length;
    }
    this.#held = Buffer.concat(pieces);
    return this.#held.subarray(0, length);
  }

  /** The next bytes behind those that are held. Undefined at the end. */
  async #piece(): Promise<Buffer | undefined> {
    if (this.#rest !== undefined) {
      const next = await this.#rest.next();
      return next.done ? undefined : next.value;
    }
    const buffer = Buffer.allocUnsafe(pieceBytes);
    const length = await this.#file.read(buffer, 0, buffer.length);
    return length === 0 ? undefined : buffer.subarray(0, length);
  }

  async close(): Promise<void> {
    // Ends the program that unpacks.
    await this.#rest?.return?.();
    await this.#file.close();
  }
}

const empty = Buffer.alloc(0);

/** A file, and its text if it is open already. A pipe can be opened once. */
export interface InputSource {
  readonly path: string;
  readonly text?: InputText | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns what `use` returns of the text of a file. @throws StartError when the file cannot be read */
export async function withInputText<Result>(
  { path, text: open, signal }: InputSource,
  use: (text: InputText) => Promise<Result>,
): Promise<Result> {
  if (open !== undefined) return use(open);
  const text = await InputText.open(path, signal);
  try {
    return await use(text);
  } finally {
    await text.close();
  }
}

/** @throws StartError when no converter reads such a file */
function formOf(head: Buffer, path: string): ReturnType<typeof textEncoding> {
  const foreign = foreignFile(head);
  if (foreign !== undefined) throw new StartError(`${path} is ${foreign}`);
  return textEncoding(head);
}

/** The first bytes of a file. A pipe gives them in pieces of any size. */
async function headOf(file: InputFile, signal?: AbortSignal): Promise<Buffer> {
  const head = Buffer.alloc(headBytes);
  let held = 0;
  for (let taken = 1; taken > 0 && held < headBytes; held += taken) {
    signal?.throwIfAborted();
    taken = await file.read(head, held, headBytes - held);
  }
  return head.subarray(0, held);
}

/** The bytes of a file whose first ones were read. */
async function* piecesOf(file: InputFile, head: Buffer): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (;;) {
    const buffer = Buffer.allocUnsafe(pieceBytes);
    const length = await file.read(buffer, 0, buffer.length);
    if (length === 0) return;
    yield buffer.subarray(0, length);
  }
}

async function beginningOf(pieces: AsyncIterator<Buffer>): Promise<Buffer> {
  const held: Buffer[] = [];
  for (let bytes = 0; bytes < headBytes; ) {
    const next = await pieces.next();
    if (next.done) break;
    held.push(next.value);
    bytes += next.value.length;
  }
  return Buffer.concat(held);
}

async function* following(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head;
  yield* rest;
}

/** Text in UTF-16 as UTF-8. @throws StartError when it is not UTF-16 throughout */
async function* decoded(
  pieces: AsyncIterable<Buffer>,
  { encoding, path }: { encoding: string; path: string },
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decode = (piece?: Buffer) => {
    try {
      return Buffer.from(decoder.decode(piece, { stream: piece !== undefined }));
    } catch {
      throw new StartError(`${path} begins as ${encoding.toUpperCase()}, and is not whole`);
    }
  };
  for await (const piece of pieces) yield decode(piece);
  yield decode();
}
