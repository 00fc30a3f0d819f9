import type { JsonObject } from '#src/platform/json/json-object.js';
import { maxRecordBytes } from '../../format/record-size.js';
import { InputError } from '../reading/conversion-problems.js';
import { eachLine, type LineSource } from '../reading/each-line.js';
import { createFields, type LdifLine, readLdifLine } from './read-ldif-line.js';

/** An entry of a directory. */
export interface Entry {
  /** Counted from 1 within the file. */
  readonly number: number;
  readonly line: number;
  readonly dn: string;
  /** The values by the names of the attributes in lower case, with their options. `dn` is among them. */
  readonly fields: JsonObject;
  /** The names of the attributes whose values were visited one by one. */
  readonly streamed: ReadonlySet<string>;
}

interface EntryVisitor {
  /** Attributes of which an entry may have any number of values, such as `member`. */
  readonly streamed: ReadonlySet<string>;
  /** A value of such an attribute. Its entry follows, unless it has a fault. */
  value(entry: number, name: string, text: string): void;
  entry(entry: Entry): void;
  fault(message: string, line: number): void;
}

/** The values of an entry that are held, beside those that are visited one by one. */
const mostValues = 10_000;

/**
 * Visits the entries of an LDIF file (RFC 2849). A fault of an entry is told with its line, and the entry is left out. Values at URLs are
 * never read. Holds one entry of at most 1 MiB.
 * @throws StartError when the file cannot be read, or is of another version or encoding; the reason of the signal when it aborts
 */
export async function eachEntry(
  { path, signal }: Omit<LineSource, 'problems'>,
  visitor: EntryVisitor,
): Promise<void> {
  const reader = new EntryReader(path, visitor);
  const problems = {
    add: ({ message, line }: { message: string; line: number }) => reader.fail(message, line),
  };
  await eachLine({ path, problems, keepsBlank: true, signal }, (text, line) => reader.push(text, line));
  reader.end();
}

interface BegunEntry extends Omit<Entry, 'number'> {
  readonly streamed: Set<string>;
}

class EntryReader {
  readonly #path: string;
  readonly #visitor: EntryVisitor;
  /** The line that may continue, without its line breaks. */
  #line = '';
  #lineNumber = 0;
  #entry: BegunEntry | undefined;
  #number = 0;
  #values = 0;
  #length = 0;
  /** Whether the rest of the entry is passed over. */
  #isSkipped = false;

  constructor(path: string, visitor: EntryVisitor) {
    this.#path = path;
    this.#visitor = visitor;
  }

  push(text: string, number: number): void {
    if (text.includes('\0')) {
      const text = `${this.#path}:${number} has NUL bytes, which no text of LDIF has`;
      throw new InputError('brokenEntry', text);
    }
    if (text.startsWith(' ')) {
      if (this.#line === '') this.fail('a line continues nothing', number);
      else if (this.#line.length + text.length > maxRecordBytes) {
        this.fail(`a value is longer than ${maxRecordBytes} bytes`, this.#lineNumber);
      } else this.#line += text.slice(1);
      return;
    }
    this.#take();
    this.#line = text;
    this.#lineNumber = number;
    if (text === '') this.#finish();
  }

  end(): void {
    this.#take();
    this.#finish();
  }

  /** Tells the first fault of an entry. */
  fail(message: string, line: number): void {
    if (!this.#isSkipped) this.#visitor.fault(message, line);
    this.#isSkipped = true;
    this.#line = '#';
  }

  /** A line is complete. */
  #take(): void {
    const [text, line] = [this.#line, this.#lineNumber];
    this.#line = '';
    if (text === '' || text.startsWith('#') || this.#isSkipped) return;
    const read = readLdifLine(text);
    const fault =
      typeof read === 'string'
        ? read
        : this.#entry === undefined
          ? this.#begin(read, line)
          : this.#add(this.#entry, read);
    if (fault !== undefined) this.fail(fault, line);
  }

  /** Takes the first line of a block, or returns its fault. */
  #begin({ name, value }: LdifLine, line: number): string | undefined {
    if (name === 'version') {
      if (value === '1' && this.#number === 0) return undefined;
      const text = `${this.#path}:${line}: LDIF has one version, 1, in its first line`;
      throw new InputError('brokenEntry', text);
    }
    // `ldapsearch` without -LLL has such lines between entries, and ends with `search` and `result`.
    if (['search', 'ref', 'control', 'pagedresults'].includes(name)) return undefined;
    if (name === 'result') {
      return /^0(?: |$)/.test(String(value))
        ? undefined
        : 'the search did not end well, so people are missing';
    }
    if (name !== 'dn' || typeof value !== 'string') return 'an entry does not begin with dn';
    this.#number++;
    this.#values = 0;
    this.#length = 0;
    this.#entry = { line, dn: value, fields: createFields({ dn: value }), streamed: new Set() };
    return undefined;
  }

  /** Takes a further line of an entry, or returns its fault. */
  #add({ fields, streamed }: BegunEntry, { name, value }: LdifLine): string | undefined {
    if (name === 'dn') return 'a second dn: there is no empty line before it';
    if (name === 'changetype') {
      return value === 'add' ? undefined : 'changetype is not add: only whole entries can be converted';
    }
    if (value === '') return undefined;
    const [base = '', range] = name.split(';range=');
    if (range !== undefined && range !== '0-*') {
      return `${base} is cut (range=${range}): ask the server for all of its values`;
    }
    if (this.#visitor.streamed.has(base) && typeof value === 'string') {
      streamed.add(base);
      this.#visitor.value(this.#number, base, value);
      return undefined;
    }
    this.#values++;
    this.#length += base.length + (typeof value === 'string' ? value.length : 0);
    if (this.#values > mostValues) return `more than ${mostValues} values`;
    if (this.#length > maxRecordBytes) return `longer than ${maxRecordBytes} bytes`;
    const known = fields[base];
    if (known === undefined) fields[base] = value;
    else if (Array.isArray(known)) known.push(value);
    else fields[base] = [known, value];
    return undefined;
  }

  /** A block is over. */
  #finish(): void {
    if (this.#entry !== undefined && !this.#isSkipped) {
      this.#visitor.entry({ ...this.#entry, number: this.#number });
    }
    this.#entry = undefined;
    this.#isSkipped = false;
  }
}
