import { maxRecordBytes } from '../../format/record-size.js';
import type { ImportForm, ImportSection, ImportSections } from '../lists/section/section.js';
import { organizationKey } from '../lists/section/section-keys.js';
import type { ImportOrganization } from '../stores/import-organizations.store.js';
import type { ImportPart, RecordPlace } from '../stores/import-parts.store.js';
import { numberedId } from '../stores/numbered-ids.js';
import type { ScanHandler, ScannedOrganization } from './scan/scan-handler.js';

/** The most records of one part. They are imported in one transaction. */
const maxRecords = 500;
/** The most bytes of one part. A worker reads them at once. */
const maxPartBytes = 2 * 1024 * 1024;
/** The most characters of the lists that an error `LIST-UNKNOWN` names. An object has at most 1,000 keys. */
const maxNamedCharacters = 16_384;
/** The most paths of values beside records that one organization names, and the most characters of one. */
const maxIgnored = 100;
const maxPathLength = 120;

const formOf: Readonly<Record<string, ImportForm>> = { dataOrgs: 'external', dataOrgsv1: 'instance' };

/** Groups what a scan finds into parts and organizations. The caller takes them away with {@link take}. */
export class PartBuilder implements ScanHandler {
  readonly properties = new Map<string, unknown>();
  /** The properties of the body that have organizations. */
  readonly dataKeys: string[] = [];
  readonly #ids: { readonly stagingId: string; readonly jobId: string };
  readonly #sections: ImportSections;
  readonly #parts: ImportPart[] = [];
  readonly #organizations: ImportOrganization[] = [];
  #form: ImportForm | undefined;
  #partCount = 0;
  #organizationCount = 0;
  #recordCount = 0;
  #firstOrganization: string | undefined;
  /** The number of organizations that are in no part yet. */
  #ungrouped = 0;
  /** The section of the current list. */
  #section: ImportSection | undefined;
  /** The records of the current part. */
  #ranges: RecordPlace[] = [];
  /** The number of records of the current list that are in earlier parts. */
  #before = 0;
  /** Lists of the current organization that are not imported. */
  #leftOut = new Set<string>();
  readonly #verifies: boolean;
  /** Paths of values that are not read: of the current organization, and between it and the one before. */
  #ignored = new Set<string>();
  /** The last organization, which also gets the paths behind it. */
  #last: ImportOrganization | undefined;

  /** @param options `form`: the form, if the text does not tell it. `verifies`: the records are compared, and not imported */
  constructor({
    stagingId,
    jobId,
    sections,
    form,
    verifies = false,
  }: {
    readonly stagingId: string;
    readonly jobId: string;
    readonly sections: ImportSections;
    readonly form?: ImportForm;
    readonly verifies?: boolean;
  }) {
    this.#ids = { stagingId, jobId };
    this.#sections = sections;
    this.#form = form;
    this.#verifies = verifies;
  }

  /** How many records and organizations were found. */
  get found(): number {
    return this.#recordCount + this.#organizationCount;
  }

  /** The form of the organizations; undefined while none was found. */
  get form(): ImportForm | undefined {
    return this.#form;
  }

  /** The organization that everything is imported into; undefined if there are several, or it has no identifier. */
  get onlyOrganization(): string | undefined {
    return this.#organizationCount === 1 ? this.#firstOrganization : undefined;
  }

  property(key: string, value: unknown): void {
    this.properties.set(key, value);
  }

  data(key: string): void {
    this.dataKeys.push(key);
    this.#form ??= formOf[key];
  }

  record(key: string, place: RecordPlace): void {
    this.#recordCount += 1;
    if (this.#section?.key !== key) {
      this.#closePart();
      this.#section = this.#form && this.#sections.find(key, this.#form);
      this.#before = 0;
    }
    if (this.#section === undefined) {
      this.unknownList(key);
      return;
    }
    const { start, end } = place;
    const begin = this.#ranges[0]?.start ?? start;
    // A record that is too large is a part of its own, so that workers read the others without it.
    const isTooLarge = end - start > maxRecordBytes;
    const most = (this.#verifies && this.#section.comparedAtOnce) || maxRecords;
    if (this.#ranges.length === most || end - begin > maxPartBytes || isTooLarge) this.#closePart();
    this.#ranges.push(place);
    if (isTooLarge) this.#closePart();
  }

  unknownList(key: string): void {
    this.#leftOut.add(key);
  }

  unknownValue(path: string): void {
    if (this.#ignored.size < maxIgnored) this.#ignored.add(path.slice(0, maxPathLength));
  }

  organization({ orgId, org, line, position }: ScannedOrganization): void {
    this.#closePart();
    this.#section = undefined;
    const index = this.#organizationCount++;
    if (index === 0 && typeof orgId === 'string') this.#firstOrganization = orgId;
    this.#pushLast();
    this.#last = {
      index,
      ...(typeof orgId === 'string' && { orgId }),
      ...(org !== undefined && { org }),
      line,
      position,
      ...leftOutOf(this.#leftOut),
      ...(this.#ignored.size > 0 && { ignored: [...this.#ignored] }),
    };
    this.#leftOut.clear();
    this.#ignored.clear();
    this.#ungrouped += 1;
    if (this.#ungrouped === maxRecords) this.#closeOrganizations();
  }

  /** The text has ended. */
  end(): void {
    const { ignored = [] } = this.#last ?? {};
    const all = [...ignored, ...this.#ignored].slice(0, maxIgnored);
    if (this.#last !== undefined && all.length > 0) this.#last = { ...this.#last, ignored: all };
    this.#pushLast();
    this.#closeOrganizations();
  }

  /** Takes away the parts and organizations that are complete. */
  take(): { parts: ImportPart[]; organizations: ImportOrganization[] } {
    return { parts: this.#parts.splice(0), organizations: this.#organizations.splice(0) };
  }

  #pushLast(): void {
    if (this.#last !== undefined) this.#organizations.push(this.#last);
    this.#last = undefined;
  }

  #closePart(): void {
    if (this.#section === undefined || this.#ranges.length === 0) return;
    const ranges = this.#ranges;
    const { key, phase } = this.#section;
    const at = { section: key, phase, org: this.#organizationCount, first: this.#before + 1 };
    this.#add({ ...at, ranges, orgs: 0, count: ranges.length });
    this.#before += ranges.length;
    this.#ranges = [];
  }

  /** Makes a part of the organizations themselves. */
  #closeOrganizations(): void {
    if (this.#ungrouped === 0) return;
    const orgs = this.#ungrouped;
    const from = this.#organizationCount - orgs;
    // An external import only looks organizations up, so they are no records of its summary.
    const count = this.#form === 'instance' ? orgs : 0;
    this.#add({ section: organizationKey, phase: 0, org: from, first: from + 1, ranges: [], orgs, count });
    this.#ungrouped = 0;
  }

  #add(part: Omit<ImportPart, 'id' | 'stagingId' | 'jobId'>): void {
    const id = numberedId(this.#ids.stagingId, this.#partCount++);
    this.#parts.push({ id, ...this.#ids, ...part });
  }
}

/** The names that 16 KiB hold, and the number of the others. */
function leftOutOf(keys: ReadonlySet<string>): Pick<ImportOrganization, 'leftOut' | 'moreLeftOut'> {
  if (keys.size === 0) return {};
  let characters = 0;
  const leftOut = [...keys].filter((key) => {
    characters += key.length;
    return characters <= maxNamedCharacters;
  });
  const more = keys.size - leftOut.length;
  return { leftOut, ...(more > 0 && { moreLeftOut: more }) };
}
