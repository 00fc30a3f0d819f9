import { isUtf8 } from 'node:buffer';
import { continues, mismatched, ValueScanner } from '#src/platform/json/value-scanner.js';
import type { StartError } from '#src/platform/start-error.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { type InputSource, withInputText } from '../../text/input-text.js';
import { InputError, type KnownProblem } from '../reading/conversion-problems.js';
import { type Problems, refusal } from '../reading/problems.js';
import { isEmpty } from '../reading/source-record.js';

export interface ItemSource extends InputSource {
  /** The way to the list or the object whose values are visited. */
  readonly at: readonly string[];
  /** Whether the text has one object after the other, instead of a list. */
  readonly isSequence: boolean;
  /** Gets the name of every other member on the way that has a value, and its line. */
  readonly passed: (member: string, line: number) => void;
  readonly problems: Problems;
}

/** @param key the name of a member of an object of objects */
type Visit = (text: string, line: number, key?: string) => void;

/** An object on the way to the records, or what has the records: a list, or an object. */
type Frame = 'way' | 'list' | 'object';

const [quote, colon, comma, lineFeed] = [0x22, 0x3a, 0x2c, 0x0a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
/** The most bytes of a key that is held. A longer one is cut, and matches no step of a way. */
const longestKey = 1_000;
/** The most bytes of a value that is looked at to see whether it says something. */
const longestLook = 4_096;

/**
 * Visits the values of a list or of an object of objects in a JSON text, wherever it is. `visit` gets the text of a value and the line on
 * which it begins, counted from 1. Holds one block of the file and one value. Outside of the values it checks brackets and strings alone.
 * @throws StartError when the file cannot be read, has no such list, ends too early or has brackets that do not match
 * @throws the reason of the signal when it aborts
 */
export async function eachItem(source: ItemSource, visit: Visit): Promise<void> {
  const scanner = new ItemScanner(source, visit);
  await withInputText(source, async (text) => {
    for await (const block of text.blocks(source.signal)) scanner.push(block);
  });
  scanner.end();
}

class ItemScanner {
  readonly #source: ItemSource;
  readonly #visit: Visit;
  readonly #values = new ValueScanner();
  readonly #frames: Frame[] = [];
  /** What is scanned at the moment. */
  #kind: 'key' | 'item' | 'passed' | undefined;
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** The line on which the value begins. */
  #begun = 1;
  #key: string | undefined;
  #isAfterColon = false;
  #hasFound = false;
  #line = 1;
  /** The place of the next line end that is not counted; the length of the block if there is none. -1 before the first search. */
  #nextFeed = -1;

  constructor(source: ItemSource, visit: Visit) {
    this.#source = source;
    this.#visit = visit;
  }

  push(block: Buffer): void {
    this.#nextFeed = -1;
    let at = 0;
    while (at < block.length) at = this.#kind === undefined ? this.#step(block, at) : this.#scan(block, at);
    this.#countLines(block, block.length);
  }

  /** @throws StartError when the text is not whole */
  end(): void {
    if (this.#frames.length > 0 || this.#kind !== undefined) throw this.#notJson('it ends too early');
    if (!this.#hasFound) throw this.#without();
  }

  /** Reads a byte between values. */
  #step(block: Buffer, at: number): number {
    const byte = block[at] ?? 0;
    if (byte <= 0x20 || byte === comma) return at + 1;
    const frame = this.#frames.at(-1);
    if (byte === closeBrace || byte === closeBracket) {
      if (frame === undefined || (frame === 'list') !== (byte === closeBracket))
        throw this.#unmatched(block, at);
      this.#frames.pop();
      return at + 1;
    }
    if (frame === undefined || frame === 'list' || this.#isAfterColon) return this.#begin(block, at);
    if (byte === colon && this.#key !== undefined) this.#isAfterColon = true;
    else if (byte === quote) return this.#hold('key', block, at);
    else throw this.#unmatched(block, at);
    return at + 1;
  }

  /** A value begins. */
  #begin(block: Buffer, at: number): number {
    this.#isAfterColon = false;
    const frame = this.#frames.at(-1);
    if (frame === 'list' || frame === 'object') return this.#hold('item', block, at);
    const { at: way, isSequence } = this.#source;
    const depth = this.#frames.length;
    if (depth > 0 && this.#key !== way[depth - 1]) return this.#hold('passed', block, at);
    const byte = block[at] ?? 0;
    if (depth < way.length) {
      if (byte !== openBrace) throw this.#without();
      this.#frames.push('way');
      return at + 1;
    }
    this.#hasFound = true;
    if (isSequence) return this.#hold('item', block, at);
    if (byte !== openBrace && byte !== openBracket) throw this.#without();
    this.#frames.push(byte === openBracket ? 'list' : 'object');
    this.#key = undefined;
    return at + 1;
  }

  #hold(kind: 'key' | 'item' | 'passed', block: Buffer, at: number): number {
    this.#countLines(block, at);
    this.#kind = kind;
    this.#begun = this.#line;
    this.#pieces = [];
    this.#bytes = 0;
    this.#values.begin(block[at] ?? 0);
    return this.#scan(block, at);
  }

  #scan(block: Buffer, from: number): number {
    const end = this.#values.scan(block, from);
    if (end === mismatched) throw this.#unmatched(block, this.#values.mismatchAt);
    const to = end === continues ? block.length : end;
    this.#bytes += to - from;
    const most = { key: longestKey, item: maxRecordBytes, passed: longestLook }[this.#kind ?? 'passed'];
    // No block is used again, so a piece of it stays what it is.
    if (this.#bytes <= most) this.#pieces.push(block.subarray(from, to));
    if (end !== continues) this.#take();
    return to;
  }

  /** A value is whole. */
  #take(): void {
    const [kind, bytes] = [this.#kind, this.#bytes];
    this.#kind = undefined;
    const [first] = this.#pieces;
    const value = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces);
    this.#pieces = [];
    if (kind === 'item') this.#takeItem(value, bytes);
    else if (kind === 'key') this.#key = bytes > longestKey ? '' : nameOf(value.toString());
    else if (bytes > longestLook || saysSomething(value)) this.#source.passed(this.#key ?? '', this.#begun);
  }

  #takeItem(value: Buffer, bytes: number): void {
    const { path, problems } = this.#source;
    const error = (known: KnownProblem) => problems.add(refusal({ file: path, line: this.#begun }, known));
    if (bytes > maxRecordBytes) error({ id: 'tooLong', params: { most: maxRecordBytes } });
    else if (!isUtf8(value)) error({ id: 'notUtf8', params: {} });
    else this.#visit(value.toString(), this.#begun, this.#frames.at(-1) === 'object' ? this.#key : undefined);
  }

  /** Counts the lines of a block up to a place. A block without a line end is searched once. */
  #countLines(block: Buffer, to: number): void {
    while (this.#nextFeed < to) {
      if (this.#nextFeed >= 0) this.#line += 1;
      const next = block.indexOf(lineFeed, this.#nextFeed + 1);
      this.#nextFeed = next < 0 ? block.length : next;
    }
  }

  #without(): StartError {
    const { path, at } = this.#source;
    const where = at.length === 0 ? '' : ` at ${at.join('.')}`;
    return new InputError(
      'noList',
      `${path} has no list or object of people${where}. --at names its place, such as --at data.users`,
    );
  }

  #unmatched(block: Buffer, at: number): StartError {
    this.#countLines(block, at);
    return this.#notJson('a bracket or a comma is out of place');
  }

  #notJson(why: string): StartError {
    return new InputError('brokenJson', `${this.#source.path}:${this.#line}: not JSON: ${why}`, {
      line: this.#line,
    });
  }
}

/** Whether a value is more than null, an empty text, or an object or list of such values. */
function saysSomething(value: Buffer): boolean {
  try {
    return !isEmpty(JSON.parse(value.toString()));
  } catch {
    return true;
  }
}

function nameOf(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
