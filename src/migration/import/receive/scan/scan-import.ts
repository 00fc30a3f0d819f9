import { continues, mismatched, ValueScanner } from '#src/platform/json/value-scanner.js';
import { sectionKeys } from '../../lists/section/section-keys.js';
import { BufferedValue } from './buffered-value.js';
import { KeyScanner, tooLong } from './key-scanner.js';
import { LineCounter } from './line-counter.js';
import { type Frame, OpenFrames } from './open-frames.js';
import { ScanError, type ScanHandler, type ScannedOrganization } from './scan-handler.js';

/** `body`: the body of `POST /import`. `object`: the object of a bucket, which is such a body or only its list. */
export type ScanRoot = 'body' | 'object';

/** What may come next in the text. */
type Expect = 'root' | 'key' | 'keyOrEnd' | 'colon' | 'value' | 'item' | 'itemOrEnd' | 'more' | 'nothing';

/** The most organizations of one text. */
const maxOrganizations = 100_000;

const byteOrderMark = [0xef, 0xbb, 0xbf];
/** An object of a bucket can be a whole body. Its import has an envelope of its own. */
const envelopeKeys: ReadonlySet<string> = new Set([
  'timeout',
  'dryRun',
  'strict',
  'update',
  'unreadableHashes',
  'withoutCredentials',
  'statedAttributes',
]);
const ownLists: ReadonlySet<string> = new Set(sectionKeys);

/**
 * Finds where the records of an import begin and end. The text comes in chunks of any size. The scanner holds keys and
 * small properties alone. Keys may come in any order, in snake_case or lowerCamelCase. Outside of records the scanner
 * checks all of the JSON. Inside of records it follows brackets and strings alone.
 */
export class ImportScanner {
  readonly #handler: ScanHandler;
  readonly #root: ScanRoot;
  readonly #lists: ReadonlySet<string>;
  readonly #frames = new OpenFrames();
  readonly #keyScanner = new KeyScanner();
  readonly #values = new ValueScanner();
  readonly #lines = new LineCounter();
  #expect: Expect = 'root';
  /** The place of the chunk in the text. */
  #offset = 0;
  #key = '';
  #isInValue = false;
  #isList = false;
  /** Whether the value can be null, or an empty text, list or object, by its first byte. */
  #isNull = false;
  #isEnclosed = false;
  #valueStart = 0;
  #valueLine = 1;
  /** The current value, if it is read. */
  #buffered: BufferedValue | undefined;
  /** The bytes of a byte order mark that were read. */
  #markBytes = 0;
  #section = '';
  #organization: ScannedOrganization = { line: 1, position: 0 };
  #organizations = 0;

  /** @param lists the keys of the lists of an organization whose records are found; by default those of an import */
  constructor(root: ScanRoot, handler: ScanHandler, lists = ownLists) {
    this.#root = root;
    this.#lists = lists;
    this.#handler = handler;
  }

  /** Scans the next chunk. @throws ScanError */
  push(chunk: Uint8Array): void {
    let at = 0;
    this.#lines.begin(chunk);
    while (at < chunk.length) {
      if (this.#isInValue) at = this.#scanValue(chunk, at);
      else if (this.#keyScanner.isOpen) at = this.#scanKey(chunk, at);
      else at = this.#step(chunk, at);
    }
    this.#offset += chunk.length;
  }

  /** The text has ended. @throws ScanError when it is not whole */
  end(): void {
    if (this.#expect !== 'nothing') throw new ScanError(`It ends too early, after ${this.#offset} bytes`);
  }

  /** Reads a byte between values. */
  #step(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] as number;
    if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) return at + 1;
    const character = String.fromCharCode(byte);
    switch (this.#expect) {
      case 'root':
        if (this.#isByteOrderMark(at, byte)) return at + 1;
        if (character !== '{') throw this.#unexpected(at);
        this.#openObject('root');
        return at + 1;
      case 'keyOrEnd':
      case 'key':
        if (character === '"') this.#keyScanner.begin();
        else if (character === '}' && this.#expect === 'keyOrEnd') this.#close();
        else throw this.#unexpected(at);
        return at + 1;
      case 'colon':
        if (character !== ':') throw this.#unexpected(at);
        this.#expect = 'value';
        return at + 1;
      case 'value':
        return this.#beginProperty(chunk, at);
      case 'itemOrEnd':
      case 'item':
        if (character === ']' && this.#expect === 'itemOrEnd') {
          this.#close();
          return at + 1;
        }
        return this.#beginItem(chunk, at);
      case 'more':
        return this.#separate(character, at);
      default:
        throw this.#unexpected(at);
    }
  }

  #isByteOrderMark(at: number, byte: number): boolean {
    const isNext = this.#offset + at === this.#markBytes && byte === byteOrderMark[this.#markBytes];
    if (isNext) this.#markBytes += 1;
    return isNext;
  }

  #separate(character: string, at: number): number {
    const isList = this.#frames.isTopList;
    if (character === ',') this.#expect = isList ? 'item' : 'key';
    else if (character === (isList ? ']' : '}')) this.#close();
    else throw this.#unexpected(at);
    return at + 1;
  }

  #openObject(frame: Frame): void {
    this.#frames.open(frame);
    this.#expect = 'keyOrEnd';
  }

  #openList(frame: Frame): void {
    this.#frames.open(frame);
    this.#expect = 'itemOrEnd';
  }

  #close(): void {
    if (this.#frames.close() === 'org') {
      this.#handler.organization(this.#organization);
    }
    this.#expect = this.#frames.top === undefined ? 'nothing' : 'more';
  }

  #scanKey(chunk: Uint8Array, from: number): number {
    const end = this.#keyScanner.scan(chunk, from);
    if (end === tooLong) throw new ScanError(`The key at ${this.#place(from)} is too long`);
    if (end === continues) return chunk.length;
    this.#takeKey(end);
    return end + 1;
  }

  #takeKey(at: number): void {
    const key = this.#keyScanner.key();
    if (key === undefined) throw this.#unexpected(at);
    this.#frames.addKey(key, this.#place(at));
    this.#key = key;
    this.#expect = 'colon';
  }

  /** Begins the value of a key: a new frame, or a value that is buffered or skipped. */
  #beginProperty(chunk: Uint8Array, at: number): number {
    const frame = this.#frames.top;
    const byte = chunk[at];
    const key = this.#key;
    if (byte === 0x7b && frame === 'root' && (key === 'dataOrgs' || key === 'dataOrgsv1')) {
      this.#handler.data(key);
      this.#openObject('data');
      return at + 1;
    }
    const isOrgs = key === 'orgs' && (frame === 'data' || (frame === 'root' && this.#root === 'object'));
    if (byte === 0x5b && isOrgs) {
      if (frame === 'root') this.#handler.data(key);
      this.#openList('orgs');
      return at + 1;
    }
    if (byte === 0x5b && frame === 'org' && this.#lists.has(key)) {
      this.#section = key;
      this.#openList('section');
      return at + 1;
    }
    return this.#beginValue(chunk, at, this.#isRead(frame, isOrgs));
  }

  /** Whether the value of the current key is read. Other values are skipped. */
  #isRead(frame: Frame | undefined, isOrgs: boolean): boolean {
    if (frame === 'root') return this.#root === 'body' || isOrgs || this.#key.startsWith('dataOrgs');
    if (frame === 'data') return isOrgs;
    return this.#key === 'orgId' || this.#key === 'org' || this.#lists.has(this.#key);
  }

  #beginItem(chunk: Uint8Array, at: number): number {
    if (this.#frames.top === 'section') return this.#beginValue(chunk, at, false);
    if (chunk[at] !== 0x7b) throw this.#unexpected(at);
    this.#organizations += 1;
    if (this.#organizations > maxOrganizations) throw new ScanError('There are too many organizations');
    this.#organization = { line: this.#lines.lineAt(at), position: this.#offset + at };
    this.#openObject('org');
    return at + 1;
  }

  #beginValue(chunk: Uint8Array, at: number, isRead: boolean): number {
    const byte = chunk[at] as number;
    // No value begins with `,`, `:`, `]` or `}`.
    if (byte === 0x2c || byte === 0x3a || byte === 0x5d || byte === 0x7d) throw this.#unexpected(at);
    this.#values.begin(byte);
    this.#isInValue = true;
    this.#isList = byte === 0x5b;
    this.#isNull = byte === 0x6e;
    this.#isEnclosed = byte === 0x5b || byte === 0x7b || byte === 0x22;
    this.#valueStart = this.#offset + at;
    this.#valueLine = this.#lines.lineAt(at);
    this.#buffered = isRead ? new BufferedValue(this.#key, this.#valueStart) : undefined;
    return this.#scanValue(chunk, at);
  }

  #scanValue(chunk: Uint8Array, from: number): number {
    const end = this.#values.scan(chunk, from);
    if (end === mismatched) throw new ScanError(`Brackets do not match near ${this.#place(from)}`);
    const next = end === continues ? chunk.length : end;
    this.#buffered?.add(chunk.subarray(from, next));
    if (end !== continues) {
      this.#isInValue = false;
      this.#expect = 'more';
      this.#takeValue(this.#offset + next);
    }
    return next;
  }

  #takeValue(end: number): void {
    const frame = this.#frames.top;
    if (frame === 'section') {
      this.#handler.record(this.#section, { start: this.#valueStart, end, line: this.#valueLine });
      return;
    }
    if (this.#buffered === undefined) {
      const range = { start: this.#valueStart, end };
      this.#handler.skipped?.(this.#key, range, frame === 'org' ? 'organization' : 'body');
      this.#passValue(frame, end);
      return;
    }
    const value = this.#buffered.parse();
    this.#buffered = undefined;
    this.#takeProperty(frame, value);
  }

  /** Tells of a value that is not read. Exporters write null, and empty texts, lists and objects, for absent values. */
  #passValue(frame: Frame | undefined, end: number): void {
    const isLong = end - this.#valueStart > (this.#isNull ? 'null' : '[]').length;
    const isEmpty = !isLong && (this.#isNull || this.#isEnclosed);
    if (isEmpty) return;
    if (frame === 'org' && this.#isList) this.#handler.unknownList(this.#key);
    else if (frame === 'org') this.#handler.unknownValue?.(`orgs[].${this.#key}`);
    else if (frame === 'data' || !envelopeKeys.has(this.#key)) this.#handler.unknownValue?.(this.#key);
  }

  #takeProperty(frame: Frame | undefined, value: unknown): void {
    const key = this.#key;
    if (frame === 'org' && (key === 'orgId' || key === 'org')) {
      this.#organization = { ...this.#organization, [key]: value };
      return;
    }
    if (frame === 'root' && this.#root === 'body' && key !== 'dataOrgs' && key !== 'dataOrgsv1') {
      this.#handler.property(key, value);
      return;
    }
    // Null stands for an absent list. A list or an object would have opened a frame.
    if (value !== null) throw new ScanError(`${JSON.stringify(key)} is not what it must be`);
  }

  #place(at: number): string {
    return `byte ${this.#offset + at}`;
  }

  #unexpected(at: number): ScanError {
    return new ScanError(`It is not JSON at ${this.#place(at)}`);
  }
}
