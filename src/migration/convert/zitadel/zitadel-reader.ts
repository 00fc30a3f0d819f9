import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { maxRecordBytes } from '../../format/record-size.js';
import type { ScanHandler } from '../../import/scan/scan-handler.js';
import type { Losses } from '../losses.js';
import type { Problems } from '../problems.js';
import { ConversionError, parseFields } from '../read-fields.js';
import { SourceRecord } from '../source-record.js';
import type { FileRanges } from './file-ranges.js';
import type { InstanceBody } from './instance-body.js';
import { organizationSettings, zitadelOrganization } from './zitadel-organization.js';
import { isTaken, zitadelRecord } from './zitadel-records.js';

type ByteRange = { readonly start: number; readonly end: number };

interface ReaderParts {
  readonly path: string;
  readonly file: FileRanges;
  readonly body: InstanceBody;
  readonly problems: Problems;
  readonly losses: Losses;
  readonly emailVerified: boolean;
}

const settings: readonly string[] = organizationSettings;

/** Converts what a scan of an export finds. The scan names places alone, so records are read when their block is scanned. */
export class ZitadelReader implements ScanHandler {
  organizations = 0;
  readonly people = { users: 0, withPassword: 0 };
  readonly #parts: ReaderParts;
  /** What was found since the last {@link convert}, in the order of the text. */
  #found: (() => void)[] = [];
  /** The policies of the current organization, as far as Muster has them. */
  #settings: JsonObject = {};
  #line = 1;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** Converts what was found. */
  convert(): void {
    const found = this.#found;
    this.#found = [];
    for (const step of found) step();
  }

  property(): void {}
  data(): void {}
  // `skipped` has these lists too.
  unknownList(): void {}

  record(list: string, range: ByteRange): void {
    this.#found.push(() => this.#withProblems(list, range, () => this.#convertRecord(list, range)));
  }

  skipped(key: string, range: ByteRange, owner: 'body' | 'organization'): void {
    this.#found.push(() => {
      this.#line = this.#parts.file.lineAt(range.start);
      const isOfOrganization = owner === 'organization';
      if (range.end - range.start > maxRecordBytes) {
        this.#lose(isOfOrganization ? 'orgs[].' : '', [key]);
        return;
      }
      const value = readValue(this.#parts.file.read(range));
      if (isOfOrganization && settings.includes(key) && isJsonObject(value)) this.#settings[key] = value;
      else this.#lose(isOfOrganization ? 'orgs[].' : '', new SourceRecord({ [key]: value }).lost());
    });
  }

  organization({ orgId, org }: { readonly orgId?: unknown; readonly org?: unknown }): void {
    this.#found.push(() => {
      const { path, body, problems } = this.#parts;
      this.organizations++;
      const source = new SourceRecord({ ...this.#settings, org });
      this.#settings = {};
      const record = zitadelOrganization(source);
      this.#lose('orgs[].', source.lost());
      if (typeof orgId !== 'string' || orgId === '') {
        const message = `organization ${this.organizations} has no orgId`;
        problems.add({ severity: 'error', file: path, line: this.#line, message });
      }
      body.endOrganization({ orgId: typeof orgId === 'string' ? orgId : '', org: record });
    });
  }

  #convertRecord(list: string, range: ByteRange): void {
    const { file, body, emailVerified } = this.#parts;
    if (range.end - range.start > maxRecordBytes) {
      throw new ConversionError(`longer than ${maxRecordBytes} bytes`);
    }
    const fields = withCamelCaseKeys(parseFields(file.read(range)));
    if (!isJsonObject(fields)) throw new ConversionError('a key stands in it twice');
    const source = new SourceRecord(fields);
    const prefix = `orgs[].${list}[].`;
    if (!isTaken(list)) {
      this.#lose(prefix, source.lost());
      return;
    }
    const { record, notes } = zitadelRecord(list, source, emailVerified);
    for (const message of notes) this.#problem('note', list, message);
    this.#lose(prefix, source.lost());
    if (record === undefined) return;
    body.add(list, JSON.stringify(record));
    if (list === 'humanUsers') this.#countPerson(record);
  }

  #countPerson(record: unknown): void {
    this.people.users++;
    const user = isJsonObject(record) ? record['user'] : undefined;
    const hasPassword = isJsonObject(user) && ('hashedPassword' in user || 'password' in user);
    if (hasPassword) this.people.withPassword++;
  }

  #withProblems(list: string, range: ByteRange, work: () => void): void {
    this.#line = this.#parts.file.lineAt(range.start);
    try {
      work();
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      this.#problem('error', list, error.message);
    }
  }

  #problem(severity: 'error' | 'note', list: string, message: string): void {
    const { path: file, problems } = this.#parts;
    problems.add({ severity, file, line: this.#line, message: `${list}: ${message}` });
  }

  #lose(prefix: string, paths: Iterable<string>): void {
    const { losses, path: file } = this.#parts;
    losses.add(
      [...paths].map((path) => `${prefix}${path}`),
      { file, line: this.#line },
    );
  }
}

/** The value with its keys in lowerCamelCase. A text that is no JSON counts as a value of its own. */
function readValue(text: string): unknown {
  try {
    return withCamelCaseKeys(JSON.parse(text)) ?? text;
  } catch {
    return text;
  }
}
