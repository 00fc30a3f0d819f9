import { withCamelCaseKeys } from '#src/platform/json/camel-case.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { maxRecordBytes } from '../../format/record-size.js';
import type { ScanHandler } from '../../import/receive/scan/scan-handler.js';
import type { Losses } from '../losses.js';
import type { PersonMapper } from '../mapping/person-mapper.js';
import { type Problems, refusal } from '../reading/problems.js';
import { ConversionError, parseFields } from '../reading/read-fields.js';
import { SourceRecord } from '../reading/source-record.js';
import { whoInText } from '../reading/who-in.js';
import type { FileRanges } from './file-ranges.js';
import type { InstanceBody } from './instance-body.js';
import type { MappedLists } from './mapped-lists.js';
import { userLinks, zitadelUserLink } from './user-links.js';
import { organizationSettings, zitadelOrganization } from './zitadel-organization.js';
import { zitadelPerson } from './zitadel-person.js';
import { checkZitadelPerson, isTaken, zitadelRecord } from './zitadel-records.js';

type ByteRange = { readonly start: number; readonly end: number };

interface ReaderDeps {
  readonly path: string;
  readonly file: FileRanges;
  readonly body: InstanceBody;
  readonly problems: Problems;
  readonly losses: Losses;
  readonly emailVerified: boolean;
  readonly mapper: PersonMapper;
  readonly lists: MappedLists;
}

const settings: readonly string[] = organizationSettings;

/** Converts what a scan of an export finds. The scan names places alone, so records are read when their block is scanned. */
export class ZitadelReader implements ScanHandler {
  organizations = 0;
  readonly people = { users: 0, withPassword: 0 };
  readonly #parts: ReaderDeps;
  /** What was found since the last {@link convert}, in the order of the text. */
  #found: (() => void | Promise<void>)[] = [];
  /** The policies of the current organization, as far as Muster has them. */
  #settings: JsonObject = {};
  /** The lines on which these policies begin. */
  readonly #settingLines = new Map<string, number>();
  #line = 1;

  constructor(parts: ReaderDeps) {
    this.#parts = parts;
  }

  /** Converts what was found. */
  async convert(): Promise<void> {
    const found = this.#found;
    this.#found = [];
    for (const step of found) {
      const ending = step();
      // Only the end of an organization takes time.
      if (ending !== undefined) await ending;
    }
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
      if (isOfOrganization && settings.includes(key) && isJsonObject(value)) {
        this.#settings[key] = value;
        this.#settingLines.set(key, this.#line);
      } else this.#lose(isOfOrganization ? 'orgs[].' : '', new SourceRecord({ [key]: value }).lost());
    });
  }

  organization({ orgId, org }: { readonly orgId?: unknown; readonly org?: unknown }): void {
    this.#found.push(async () => {
      const { path, body, problems, lists } = this.#parts;
      this.organizations++;
      const source = new SourceRecord({ ...this.#settings, org });
      this.#settings = {};
      const record = zitadelOrganization(source);
      for (const path of source.lost()) {
        this.#lose('orgs[].', [path], this.#settingLines.get(path.split('.')[0] ?? ''));
      }
      this.#settingLines.clear();
      if (typeof orgId !== 'string' || orgId === '') {
        const known = { id: 'organizationUnnamed', params: { place: this.organizations } } as const;
        problems.add(refusal({ file: path, line: this.#line }, known));
      }
      const id = typeof orgId === 'string' ? orgId : '';
      await lists.endOrganization(id);
      body.endOrganization({ orgId: id, org: record });
    });
  }

  #convertRecord(list: string, range: ByteRange): void {
    const { file, body, lists } = this.#parts;
    if (range.end - range.start > maxRecordBytes) {
      throw new ConversionError('tooLong', { most: maxRecordBytes });
    }
    const fields = withCamelCaseKeys(parseFields(file.read(range)));
    if (!isJsonObject(fields))
      throw new ConversionError('twoMembers', { detail: 'a key stands in it twice' });
    const source = new SourceRecord(fields);
    const prefix = `orgs[].${list}[].`;
    if (list === 'humanUsers') {
      this.#convertPerson(source, prefix);
      return;
    }
    if (list === userLinks) {
      lists.addLink(zitadelUserLink(source));
      this.#lose(prefix, source.lost());
      return;
    }
    if (!isTaken(list)) {
      this.#lose(prefix, source.lost());
      return;
    }
    const { record, notes } = zitadelRecord(list, source);
    for (const message of notes) this.#note(list, message);
    this.#lose(prefix, source.lost());
    if (record === undefined) return;
    const text = JSON.stringify(record);
    if (list === 'userMetadata') lists.addMetadata(text);
    else body.add(list, text);
  }

  #convertPerson(source: SourceRecord, prefix: string): void {
    const { path, body, lists, mapper, emailVerified } = this.#parts;
    const found = zitadelPerson(source, emailVerified);
    const at = { file: path, line: this.#line, check: checkZitadelPerson };
    const mapped = mapper.map(source, found, at);
    lists.add(mapped);
    for (const message of found.notes) this.#note('humanUsers', message);
    this.#lose(prefix, source.lost());
    body.add('humanUsers', JSON.stringify(mapped.record));
    this.people.users++;
    const { hashedPassword, password } = mapped.record.user;
    if (hashedPassword !== undefined || password !== undefined) this.people.withPassword++;
  }

  #withProblems(list: string, range: ByteRange, work: () => void): void {
    this.#line = this.#parts.file.lineAt(range.start);
    try {
      work();
    } catch (error) {
      if (!(error instanceof ConversionError)) throw error;
      const { file, path, problems } = this.#parts;
      const isShort = range.end - range.start <= maxRecordBytes;
      const who = isShort ? whoInText(file.read(range)) : '';
      problems.add(refusal({ file: path, line: this.#line }, error.known, { who, list }));
    }
  }

  #note(list: string, message: string): void {
    const { path: file, problems } = this.#parts;
    problems.add({ severity: 'note', file, line: this.#line, message: `${list}: ${message}` });
  }

  #lose(prefix: string, paths: Iterable<string>, line = this.#line): void {
    const { losses, path: file } = this.#parts;
    losses.add(
      [...paths].map((path) => `${prefix}${path}`),
      { file, line },
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
