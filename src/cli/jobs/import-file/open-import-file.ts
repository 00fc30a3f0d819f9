import { createReadStream, statSync } from 'node:fs';
import { type Packing, packingOf, unpacked } from '#src/migration/text/unpacked.js';
import { StartError } from '#src/platform/start-error.js';
import { type Shape, shapeOf } from './shape.js';

/** A file that is sent as the body of an import. */
export interface ImportFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly packing: Packing | undefined;
  readonly shape: Shape;
  /** Bytes of its byte order mark: 3, or 0. */
  readonly markBytes: number;
  /** Members that are added to the body, as JSON. */
  readonly added: string;
}

/** What the command line says about an import. */
export interface ImportFlags {
  readonly dryRun?: boolean | undefined;
  readonly strict?: boolean | undefined;
  readonly update?: boolean | undefined;
  /** Of a verification. */
  readonly listExtra?: boolean | undefined;
  readonly timeout?: string | undefined;
}

/** The flags that the body of an import, or of a verification, has under the same names. */
export const flagNames = ['dryRun', 'strict', 'update', 'listExtra'] as const;

/** For a file that names no timeout. The service allows 72 hours. */
export const defaultTimeout = '24h';
/** Bytes of text by which a file is recognized. */
const enough = 4_096;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Recognizes a file by its first bytes.
 * @throws StartError if no import can have the file
 */
export async function openImportFile(path: string, flags: ImportFlags): Promise<ImportFile> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new StartError(`${path} is no file`);
  const { size, mtimeMs } = stats;
  const packing = packingOf(await beginningOf(readPieces(path)));
  const beginning = await beginningOf(readText({ path, packing }));
  const markBytes = beginning.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  if (/^(fffe|feff)/.test(beginning.toString('hex', 0, 2))) {
    throw new StartError(`${path} is UTF-16. Save it as UTF-8`);
  }
  const shape = shapeOf(beginning.toString('utf8', markBytes));
  if (shape === undefined) throw new StartError(`${path} is no import. Expected: ${expected}`);
  const { timeout } = flags;
  if (shape === 'body' && timeout !== undefined) {
    throw new StartError(
      `${path} is the body of an import, which names its own timeout. Leave --timeout out`,
    );
  }
  const chosen = flagNames.filter((flag) => flags[flag] === true);
  const members = [
    ...(shape === 'body' ? [] : [`"timeout":${JSON.stringify(timeout ?? defaultTimeout)}`]),
    ...chosen.map((flag) => `"${flag}":true`),
  ];
  return {
    path,
    size,
    mtimeMs,
    packing,
    shape,
    markBytes,
    added: members.map((member) => `${member},`).join(''),
  };
}

const expected =
  'the body of an import, what muster export wrote, an array of organizations, or organizations and records, one on each line. ' +
  'Each may be compressed with gzip or zstd';

/** Yields the text of the file. @param onRead gets the number of bytes of the file that were read */
export async function* readText(
  { path, packing }: Pick<ImportFile, 'path' | 'packing'>,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  const pieces = readPieces(path, onRead);
  yield* packing === undefined ? pieces : unpacked(pieces, { packing, name: path });
}

async function* readPieces(path: string, onRead: (bytes: number) => void = () => {}): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 256 * 1024 })) {
      bytes += piece.length;
      onRead(bytes);
      yield piece;
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new StartError(`${path} cannot be read: ${error.message}`);
  }
}

async function beginningOf(text: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of text) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= enough) break;
  }
  return Buffer.concat(pieces).subarray(0, enough);
}
