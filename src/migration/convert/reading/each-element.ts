import { isUtf8 } from 'node:buffer';
import { continues, mismatched, ValueScanner } from '#src/platform/json/value-scanner.js';
import type { StartError } from '#src/platform/start-error.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { type InputSource, withInputText } from '../../text/input-text.js';
import { InputError, type KnownProblem } from './conversion-problems.js';
import { type Problems, refusal } from './problems.js';
import { isEmpty } from './source-record.js';

export interface ElementSource extends InputSource {
  /** The names of the arrays whose objects are visited. They are members of the document, or of objects in its array. */
  readonly members: readonly string[];
  /** Whether the document itself may be the array whose objects are visited. */
  readonly isList?: boolean;
  /** A text that says what the objects of a document are about, such as the name of its realm. */
  readonly label?: {
    readonly member: string;
    /** A document begins: the one of the file, or an object in its array. */
    begin(): void;
    take(text: string): void;
  };
  /** Gets the name of every other member of a document that has a value, and the line of the value. The label is none of them. */
  readonly passed?: (member: string, line: number) => void;
  readonly problems: Problems;
  readonly signal?: AbortSignal | undefined;
}

type Visit = (text: string, line: number, member: string) => void;

/** What is scanned at the moment: a string that may be a key, the label, an object that is visited, or a value passed over. */
interface ScannedValue {
  readonly kind: 'string' | 'label' | 'element' | 'other';
  /** The line on which it begins. */
  readonly line: number;
  /** The bytes so far, unless they are too many. */
  readonly pieces: Buffer[];
  bytes: number;
}

/** A longer text is no label. */
const longestLabel = 1_000;
/** The most bytes of the name of a member that is told, and of a value that is looked at to see whether it says something. */
const longestName = 200;
const longestLook = 4_096;
const [quote, colon, lineFeed] = [0x22, 0x3a, 0x0a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * Visits the objects of some arrays in a JSON document. `visit` gets the text of an object, the line on which it begins,
 * counted from 1, and the name of the array. Holds one block of the file and one object. Outside of the objects it checks brackets and strings
 * alone.
 * @throws StartError when the file cannot be read, ends too early or has brackets that do not match; the reason of the
 * signal when it aborts
 */
export async function eachElement(source: ElementSource, visit: Visit): Promise<void> {
  const { signal } = source;
  const scanner = new ElementScanner(source, visit);
  await withInputText(source, async (text) => {
    for await (const block of text.blocks(signal)) scanner.push(block);
  });
  scanner.end();
}

/** Finds the objects in the blocks of a document. */
class ElementScanner {
  readonly #source: ElementSource;
  readonly #visit: Visit;
  /** The names of the members, by the keys as they stand in the text. */
  readonly #wanted: ReadonlyMap<string, string>;
  readonly #longestKey: number;
  /** The key of the label as it stands in the text. */
  readonly #label: string | undefined;
  readonly #values = new ValueScanner();
  /** The brackets that are entered, from outside: those of the document, of an object in its array, of a wanted array. */
  readonly #entered: number[] = [];
  /** The wanted array that was entered last. */
  #member = '';
  #value: ScannedValue | undefined;
  /** The latest string, and the key of the next value; both with their quotes. */
  #string = '';
  #key = '';
  /** The key of a member that is told if its value says something. */
  #passedKey: string | undefined;
  #hasBegun = false;
  #line = 1;
  /** How far the lines of the block are counted. */
  #countedTo = 0;

  constructor(source: ElementSource, visit: Visit) {
    this.#source = source;
    this.#visit = visit;
    this.#wanted = new Map(source.members.map((member) => [JSON.stringify(member), member]));
    this.#label = source.label && JSON.stringify(source.label.member);
    const lengths = [...this.#wanted.keys(), this.#label ?? ''].map((key) => key.length);
    this.#longestKey = Math.max(...lengths, source.passed === undefined ? 0 : longestName);
  }

  push(block: Buffer): void {
    this.#countedTo = 0;
    let at = 0;
    while (at < block.length) at = this.#value === undefined ? this.#step(block, at) : this.#scan(block, at);
    this.#countLines(block, block.length);
  }

  /** The document is over. @throws StartError when it is not whole */
  end(): void {
    const isWhole = this.#hasBegun && this.#entered.length === 0 && this.#value === undefined;
    if (!isWhole) throw this.#notJson('it ends too early');
  }

  /** Reads a byte between values. */
  #step(block: Buffer, at: number): number {
    const byte = block[at] ?? 0;
    if (byte === quote || byte === openBrace || byte === openBracket) return this.#begin(block, at);
    if (byte === colon) {
      this.#key = this.#string;
      this.#passedKey = this.#isPassed() ? this.#string : undefined;
    } else if (this.#passedKey !== undefined && isOfScalar(byte)) {
      this.#tellPassed(block, at, byte === letterN ? undefined : true);
    } else if (byte === closeBrace || byte === closeBracket) {
      if (this.#entered.pop() !== (byte === closeBrace ? openBrace : openBracket)) {
        throw this.#unmatched(block, at);
      }
    }
    return at + 1;
  }

  /** Enters a bracket, or begins to scan a value whole. */
  #begin(block: Buffer, at: number): number {
    const byte = block[at] ?? 0;
    const isEntered = this.#isEntered(byte);
    const isLabel = byte === quote && this.#key === this.#label && this.#entered.at(-1) === openBrace;
    if (isEntered) this.#member = this.#wanted.get(this.#key) ?? this.#member;
    this.#key = '';
    if (isEntered) {
      this.#passedKey = undefined;
      if (byte === openBrace) this.#source.label?.begin();
      this.#hasBegun = true;
      this.#entered.push(byte);
      return at + 1;
    }
    const text = isLabel ? 'label' : 'string';
    const kind = byte === quote ? text : byte === openBrace && this.#isInWanted() ? 'element' : 'other';
    if (kind === 'element' || this.#passedKey !== undefined) this.#countLines(block, at);
    this.#value = { kind, line: this.#line, pieces: [], bytes: 0 };
    this.#values.begin(byte);
    return this.#scan(block, at);
  }

  #isEntered(byte: number): boolean {
    if (byte === quote) return false;
    if (this.#entered.length === 0) return true;
    const isInObject = this.#entered.at(-1) === openBrace;
    if (byte === openBracket) return isInObject && this.#wanted.has(this.#key);
    return !isInObject && !this.#isInWanted();
  }

  /** Whether the next value is an item of a wanted array: only the array of the document is entered otherwise. */
  #isInWanted(): boolean {
    return this.#entered.length > (this.#source.isList ? 0 : 1) && this.#entered.at(-1) === openBracket;
  }

  #scan(block: Buffer, from: number): number {
    const end = this.#values.scan(block, from);
    if (end === mismatched) throw this.#unmatched(block, this.#values.mismatchAt);
    const to = end === continues ? block.length : end;
    this.#hold(block.subarray(from, to));
    if (end !== continues) this.#take();
    return to;
  }

  #hold(piece: Buffer): void {
    const value = this.#value;
    if (value === undefined || (value.kind === 'other' && this.#passedKey === undefined)) return;
    value.bytes += piece.length;
    const most = {
      string: this.#longestKey,
      label: longestLabel,
      element: maxRecordBytes,
      other: longestLook,
    }[value.kind];
    // A copy: the next block may use the same memory.
    if (value.bytes <= most) value.pieces.push(Buffer.from(piece));
  }

  /** A value is complete. */
  #take(): void {
    const value = this.#value;
    this.#value = undefined;
    if (value === undefined) return;
    const bytes = Buffer.concat(value.pieces);
    if (this.#passedKey !== undefined)
      this.#tellPassed(undefined, 0, saysSomething(bytes, value.bytes), value.line);
    if (value.kind === 'other') return;
    if (value.kind === 'string') this.#string = bytes.toString();
    else if (value.kind === 'label') this.#takeLabel(bytes, value.bytes);
    else this.#takeElement(bytes, value);
  }

  /** Whether the next value is that of a member that is told. */
  #isPassed(): boolean {
    if (this.#source.passed === undefined || this.#entered.at(-1) !== openBrace) return false;
    return !this.#wanted.has(this.#string) && this.#string !== this.#label && this.#string !== '';
  }

  /** @param says whether the value says something */
  #tellPassed(block: Buffer | undefined, at: number, says = false, line?: number): void {
    const key = this.#passedKey;
    this.#passedKey = undefined;
    if (key === undefined || !says) return;
    if (block !== undefined) this.#countLines(block, at);
    this.#source.passed?.(nameOf(key), line ?? this.#line);
  }

  #takeLabel(bytes: Buffer, length: number): void {
    if (length > longestLabel || !isUtf8(bytes)) return;
    try {
      this.#source.label?.take(String(JSON.parse(bytes.toString())));
    } catch {
      // A text with a fault is no label. Whoever reads the objects finds none.
    }
  }

  #takeElement(bytes: Buffer, { bytes: length, line }: ScannedValue): void {
    const { path, problems } = this.#source;
    const error = (known: KnownProblem) => problems.add(refusal({ file: path, line }, known));
    if (length > maxRecordBytes) error({ id: 'tooLong', params: { most: maxRecordBytes } });
    else if (!isUtf8(bytes)) error({ id: 'notUtf8', params: {} });
    else this.#visit(bytes.toString(), line, this.#member);
  }

  /** Counts the lines of a block up to a place. */
  #countLines(block: Buffer, to: number): void {
    let lines = 0;
    for (let at = this.#countedTo; at < to; at++) if (block[at] === lineFeed) lines += 1;
    this.#line += lines;
    this.#countedTo = to;
  }

  #unmatched(block: Buffer, at: number): StartError {
    this.#countLines(block, at);
    return this.#notJson('a bracket closes what it did not open');
  }

  #notJson(why: string): StartError {
    return new InputError('brokenJson', `${this.#source.path}:${this.#line}: not JSON: ${why}`, {
      line: this.#line,
    });
  }
}

const letterN = 0x6e;

/** Whether a byte begins a number, true, false or null. */
function isOfScalar(byte: number): boolean {
  return (
    byte === letterN || byte === 0x74 || byte === 0x66 || byte === 0x2d || (byte >= 0x30 && byte <= 0x39)
  );
}

/** Whether a value is more than null, an empty text, or an object or list of such values. A long one is not looked at. */
function saysSomething(bytes: Buffer, length: number): boolean {
  if (length > bytes.length) return true;
  try {
    return !isEmpty(JSON.parse(bytes.toString()));
  } catch {
    return true;
  }
}

/** The name of a member whose key stands in the text like this. */
function nameOf(key: string): string {
  try {
    return String(JSON.parse(key));
  } catch {
    return key;
  }
}
