import { sectionKeys } from '#src/migration/import/lists/section/section-keys.js';
import { toCamelCase } from '#src/platform/json/camel-case.js';
import { StartError } from '#src/platform/start-error.js';
import { membersOf } from './members-of.js';

/** The organization that is open in the list, and its lists until here. */
interface Open {
  readonly orgId: string;
  /** The value of `org`, if a line gave it. */
  readonly org: Buffer | undefined;
  readonly lists: Set<string>;
  list: string | undefined;
}

const known: ReadonlySet<string> = new Set(sectionKeys);
const lineFeed = Buffer.from('\n');

/**
 * Joins lines to a list of organizations. A line is an organization, as an export has it, or one record:
 * `{"orgId":"acme","list":"humanUsers","record":{}}`. Records of one organization and one list that follow each other become one list. Each
 * line stays on its own line, so that errors name the line of the file.
 */
export class JsonLines {
  readonly #name: string;
  #line = 0;
  #isFirst = true;
  #open: Open | undefined;
  /** Organizations that have ended, and that a line gave an `org`. */
  readonly #ended = new Set<string>();

  /** @param name of the file, for errors */
  constructor(name: string) {
    this.#name = name;
  }

  /** Returns what the next line adds. @throws StartError if it is neither an organization nor a record */
  add(line: Buffer): Buffer[] {
    this.#line += 1;
    if (line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)) return [lineFeed];
    const members = membersOf(line);
    const orgId = textOf(members?.get('orgId'));
    if (members === undefined || orgId === undefined) throw this.#unexpected();
    const record = members.get('record');
    if (record !== undefined) {
      const list = toCamelCase(textOf(members.get('list')) ?? '');
      if (members.size !== 3 || !known.has(list)) throw this.#unexpected();
      return [...this.#toList(orgId, list), record, lineFeed];
    }
    const org = members.get('org');
    const closing = this.#close();
    if (members.size === (org === undefined ? 1 : 2)) {
      // Its lists may follow on lines of their own.
      return [...closing, ...this.#begin({ orgId, org, lists: new Set(), list: undefined }), lineFeed];
    }
    if (org !== undefined) this.#ended.add(orgId);
    return [...closing, ...this.#next(), line, lineFeed];
  }

  /** Returns what goes before the text of an organization whose line is too long to be read at once. The next line ends it. */
  addLong(): Buffer[] {
    this.#line += 1;
    return [...this.#close(), ...this.#next()];
  }

  end(): Buffer[] {
    return this.#close();
  }

  #toList(orgId: string, list: string): Buffer[] {
    const open = this.#open;
    if (open?.orgId === orgId && open.list === list) return [Buffer.from(',')];
    if (open?.orgId === orgId && !open.lists.has(list)) return this.#beginList(open, list);
    // The same organization again has its `org` again, because any of its elements may be imported first.
    const org = open?.orgId === orgId ? open.org : undefined;
    if (org === undefined && this.#ended.has(orgId)) throw this.#apart(orgId);
    const next: Open = { orgId, org, lists: new Set(), list: undefined };
    return [...this.#close(), ...this.#begin(next), ...this.#beginList(next, list)];
  }

  #begin(open: Open): Buffer[] {
    this.#open = open;
    const { orgId, org } = open;
    const text = Buffer.from(`{"orgId":${JSON.stringify(orgId)}`);
    return [...this.#next(), text, ...(org === undefined ? [] : [Buffer.from(',"org":'), org])];
  }

  #beginList(open: Open, list: string): Buffer[] {
    const end = open.list === undefined ? '' : ']';
    open.list = list;
    open.lists.add(list);
    return [Buffer.from(`${end},"${list}":[`)];
  }

  #close(): Buffer[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    if (open.org !== undefined) this.#ended.add(open.orgId);
    return [Buffer.from(open.list === undefined ? '}' : ']}')];
  }

  #next(): Buffer[] {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return isFirst ? [] : [Buffer.from(',')];
  }

  /** Its `org` would be in one element of the list alone, and any element may be imported first. */
  #apart(orgId: string): StartError {
    return new StartError(
      `Line ${this.#line} of ${this.#name}: other organizations stand between the records of ${JSON.stringify(orgId.slice(0, 200))} and its line with org`,
    );
  }

  #unexpected(): StartError {
    return new StartError(
      `Line ${this.#line} of ${this.#name} is neither an organization, such as {"orgId":"acme","humanUsers":[]}, nor a record, such as ` +
        '{"orgId":"acme","list":"humanUsers","record":{}}',
    );
  }
}

function textOf(value: Buffer | undefined): string | undefined {
  try {
    const text: unknown = value && JSON.parse(value.toString());
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
