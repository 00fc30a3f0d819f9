import { Readable } from 'node:stream';
import { inflated } from '#src/http/bodies/inflated.js';
import { ApiProblem } from '../http/api.js';

interface ImportWish {
  readonly dryRun: boolean;
  /** Whether what exists takes over the values of the file. */
  readonly update: boolean;
  /** Further properties of the body. A file that is an import body must not have them. */
  readonly more?: Readonly<Record<string, string | boolean>>;
  /** Such as `2h`. A file that is an import body names its own. */
  readonly timeout: string;
}

/** Bytes of a file that are enough to see what it is. */
const enough = 4_096;

const firstKey = /^\uFEFF?\s*\{\s*(?:"([^"\\]{1,40})")?/;

/**
 * The body of `POST /admin/v1/import`, made of a file while it arrives. The file is an export of this service, or such a body, as
 * `muster convert` writes it. Either may be compressed with gzip.
 * @throws ApiProblem if the file is no JSON object
 */
export async function importText(file: AsyncIterable<Uint8Array>, wish: ImportWish): Promise<Readable> {
  const packed = await peek(file);
  const plain =
    packed.head[0] === 0x1f && packed.head[1] === 0x8b ? await peek(inflated(packed.all())) : packed;
  const [begin, key] = firstKey.exec(plain.head.toString('utf8')) ?? [];
  if (begin === undefined) {
    const detail = 'The file is no JSON object: it is neither an export of this service nor an import body';
    throw new ApiProblem({ status: 400, id: 'import.bodyMalformed', detail });
  }
  const { dryRun, update, more } = wish;
  const set = { ...(dryRun && { dryRun }), ...(update && { update }), ...more };
  const options = Object.entries(set)
    .map(([name, value]) => `"${name}":${JSON.stringify(value)},`)
    .join('');
  if (key !== 'orgs') return Readable.from(marked(plain.all(), options), { objectMode: false });
  const before = `{"timeout":${JSON.stringify(wish.timeout)},${options}"dataOrgsv1":`;
  return Readable.from(wrapped(before, plain.all()), { objectMode: false });
}

async function* wrapped(before: string, file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(before);
  let isFirst = true;
  for await (const piece of file) {
    yield isFirst ? withoutMark(piece) : piece;
    isFirst = false;
  }
  yield Buffer.from('}');
}

/** Has the options in the first properties of the body. The API refuses a body that has a property twice. */
async function* marked(file: AsyncIterable<Uint8Array>, text: string): AsyncGenerator<Uint8Array> {
  let isMarked = text === '';
  for await (const piece of file) {
    const at = isMarked ? -1 : Buffer.from(piece).indexOf('{');
    if (at >= 0) {
      isMarked = true;
      yield Buffer.concat([piece.subarray(0, at + 1), Buffer.from(text)]);
    }
    yield piece.subarray(at + 1);
  }
}

/** Without a byte order mark, which is no JSON. */
function withoutMark(piece: Uint8Array): Uint8Array {
  return Buffer.from(piece.subarray(0, 3)).equals(Buffer.from('\uFEFF')) ? piece.subarray(3) : piece;
}

/** The first bytes of a stream, and all of it. */
async function peek(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  const pieces: Uint8Array[] = [];
  let length = 0;
  let isDone = false;
  while (length < enough && !isDone) {
    const next = await iterator.next();
    if (next.done) isDone = true;
    else {
      pieces.push(next.value);
      length += next.value.length;
    }
  }
  const head = Buffer.concat(pieces);
  return {
    head,
    async *all(): AsyncGenerator<Uint8Array> {
      if (head.length > 0) yield head;
      while (!isDone) {
        const next = await iterator.next();
        if (next.done) return;
        yield next.value;
      }
    },
  };
}
