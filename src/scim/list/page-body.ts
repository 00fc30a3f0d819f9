import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import type { JsonBody } from '../resources/long-list.js';
import type { ScimResource } from '../resources/scim-resource.js';
import { listOpening, type Page } from './list-response.js';

/** The bytes of JSON at which a page by cursor ends. Its first resource may have more. */
export const cursorPageBytes = 1_048_576;
/** The most JSON of a page by index with several resources, in bytes. Clients step by `count`, so that such a page never ends early. */
export const indexPageBytes = 8_388_608;

/** A response is sent as one text up to this length. In characters, and in bytes of longer ones. */
const textLength = 262_144;
/** Of a longer response, so many characters at least become one part. */
const partLength = 65_536;

/** JSON of a resource as a text, or in parts that are read while they are taken. */
type ResourceJson = string | AsyncGenerator<string>;

/** The resources of a page as JSON, while they are read. */
export class PageBody {
  readonly #byCursor: boolean;
  readonly #text = new JsonText(textLength);
  /** What follows the text. It is read while it is sent. */
  readonly #later: ResourceJson[] = [];
  #isFull = false;
  #bytes = 0;
  #count = 0;

  constructor({ byCursor }: { byCursor: boolean }) {
    this.#byCursor = byCursor;
  }

  /** The number of resources. */
  get count(): number {
    return this.#count;
  }

  /** The length of the JSON of all resources, as far as it is in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether a part of the page is read while it is sent. */
  get isStream(): boolean {
    return this.#later.length > 0;
  }

  /**
   * Adds a resource.
   * @returns false if the page ends before it
   * @throws AppError `scim.pageTooLarge` if a page by index would have too much text
   */
  add(json: string): boolean {
    const bytes = this.#bytes + Buffer.byteLength(json);
    if (!this.#hasRoom(bytes)) return false;
    this.#begin();
    if (this.isStream) this.#later.push(json);
    else this.#text.add(json);
    this.#bytes = bytes;
    return true;
  }

  /** Makes the JSON of a whole page of usual size. @returns false if it is more, so that the resources must be added one by one */
  addAll(resources: readonly ScimResource[]): boolean {
    const json = JSON.stringify(resources);
    if (json.length > textLength || resources.length === 0) return false;
    this.#text.add(json.slice(1, -1));
    this.#count += resources.length;
    this.#bytes += Buffer.byteLength(json) - 2;
    return true;
  }

  /** Adds a resource to a page by index. It is read while it is sent. */
  addStream(pieces: AsyncGenerator<string>): void {
    this.#begin();
    this.#later.push(pieces);
  }

  /** {@link add} for a resource in parts. They are read before the page is sent, but for a resource that is longer than a page by cursor. */
  async addPieces(pieces: AsyncGenerator<string>): Promise<boolean> {
    const text = new JsonText(0);
    let bytes = this.#bytes;
    let rest: AsyncGenerator<string> | undefined;
    try {
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
        text.add(piece.value);
        bytes += Buffer.byteLength(piece.value);
        if (!this.#hasRoom(bytes)) return false;
        if (this.#byCursor && bytes > cursorPageBytes) {
          rest = pieces;
          break;
        }
      }
    } finally {
      if (rest === undefined) await pieces.return(undefined);
    }
    this.#begin();
    this.#text.append(text);
    this.#bytes = bytes;
    if (rest !== undefined) {
      this.#isFull = true;
      this.#later.push(rest);
    }
    return true;
  }

  /** The whole response. */
  finish(page: Omit<Page, 'resources'>): JsonBody {
    const opening = listOpening(page, this.#count);
    const body = this.#text.take();
    if (this.isStream) return withLater([opening, ...[body].flat()], this.#later);
    return typeof body === 'string'
      ? `${opening}${body}]}`
      : [Buffer.from(opening), ...body, Buffer.from(']}')];
  }

  /**
   * Whether a page of so many bytes is possible, or has a single resource.
   * @throws AppError `scim.pageTooLarge`
   */
  #hasRoom(bytes: number): boolean {
    if (this.#count === 0) return true;
    if (this.#byCursor) return !this.#isFull && bytes <= cursorPageBytes;
    if (bytes > indexPageBytes) throw new AppError(scimErrors.pageTooLarge);
    return true;
  }

  #begin(): void {
    if (this.#count > 0) {
      if (this.isStream) this.#later.push(',');
      else this.#text.add(',');
    }
    this.#count += 1;
  }
}

async function* withLater(
  begun: readonly (string | Buffer)[],
  later: readonly ResourceJson[],
): AsyncGenerator<string | Buffer> {
  try {
    yield* begun;
    for (const one of later) {
      if (typeof one === 'string') yield one;
      else yield* one;
    }
    yield ']}';
  } finally {
    // A client may go in the middle.
    for (const one of later) if (typeof one !== 'string') await one.return(undefined);
  }
}

/** A text that becomes buffers when it is long, so that it does not burden the heap. */
class JsonText {
  readonly #pieces: Buffer[] = [];
  #texts: string[] = [];
  #waiting = 0;
  #most: number;

  /** @param most a shorter text is one string. In characters */
  constructor(most: number) {
    this.#most = Math.max(most, partLength);
  }

  add(text: string): void {
    this.#texts.push(text);
    this.#waiting += text.length;
    if (this.#waiting > this.#most) this.#flush();
  }

  append(other: JsonText): void {
    const body = other.take();
    if (typeof body === 'string') {
      this.add(body);
      return;
    }
    this.#flush();
    this.#pieces.push(...body);
  }

  take(): string | Buffer[] {
    if (this.#pieces.length === 0) return this.#texts.join('');
    this.#flush();
    return this.#pieces;
  }

  #flush(): void {
    if (this.#texts.length > 0) this.#pieces.push(Buffer.from(this.#texts.join('')));
    this.#texts = [];
    this.#waiting = 0;
    this.#most = partLength;
  }
}
