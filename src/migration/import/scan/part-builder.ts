import { maxRecordBytes } from '../../format/record-size.js';
import type { ImportForm, ImportSection, ImportSections } from '../sections/section.js';
import { organizationKey } from '../sections/section-keys.js';
import type { ImportOrganization } from '../stores/import-organizations.store.js';
import type { ImportPart } from '../stores/import-parts.store.js';
import { numberedId } from '../stores/numbered-ids.js';
import type { ScanHandler } from './scan-handler.js';

/** One transaction holds so many. */
const recordsOfPart = 500;
/** So much is read at once to import a part. */
const bytesOfPart = 2 * 1024 * 1024;
/** So many lists of an organization are named that are not imported. */
const namedLists = 20;

const formOf: Readonly<Record<string, ImportForm>> = { dataOrgs: 'external', dataOrgsv1: 'instance' };

/** Gathers what a scan finds into parts and organizations, which its owner takes away now and then. */
export class PartBuilder implements ScanHandler {
  readonly properties = new Map<string, unknown>();
  /** Under which properties organizations were found. */
  readonly found: string[] = [];
  readonly #of: { readonly stagingId: string; readonly jobId: string };
  readonly #sections: ImportSections;
  readonly #parts: ImportPart[] = [];
  readonly #organizations: ImportOrganization[] = [];
  #form: ImportForm | undefined;
  #numberOfParts = 0;
  #numberOfOrganizations = 0;
  #firstOrganization: string | undefined;
  /** Organizations that no part has yet. */
  #ungrouped = 0;
  #section: ImportSection | undefined;
  #places: { start: number; end: number }[] = [];
  /** Records of the present list that are in earlier parts. */
  #before = 0;
  /** Lists of the present organization that are not imported. */
  #leftOut = new Set<string>();

  /** @param form where the text does not say it itself */
  constructor(of: {
    stagingId: string;
    jobId: string;
    sections: ImportSections;
    form?: ImportForm;
  }) {
    this.#of = of;
    this.#sections = of.sections;
    this.#form = of.form;
  }

  /** Which form the organizations are of; undefined where none were found. */
  get form(): ImportForm | undefined {
    return this.#form;
  }

  /** The organization that all of it is for; undefined where it names several, or one without an identifier. */
  get onlyOrganization(): string | undefined {
    return this.#numberOfOrganizations === 1 ? this.#firstOrganization : undefined;
  }

  property(key: string, value: unknown): void {
    this.properties.set(key, value);
  }

  data(key: string): void {
    this.found.push(key);
    this.#form ??= formOf[key];
  }

  record(key: string, { start, end }: { start: number; end: number }): void {
    if (this.#section?.key !== key) {
      this.#closePart();
      this.#section = this.#form && this.#sections.find(key, this.#form);
      this.#before = 0;
    }
    if (this.#section === undefined) {
      this.unknownList(key);
      return;
    }
    const begin = this.#places[0]?.start ?? start;
    // Such a record is not read at all, and is a part of its own.
    const isLarge = end - start > maxRecordBytes;
    if (this.#places.length === recordsOfPart || end - begin > bytesOfPart || isLarge) this.#closePart();
    this.#places.push({ start, end });
    if (isLarge) this.#closePart();
  }

  unknownList(key: string): void {
    if (this.#leftOut.size < namedLists) this.#leftOut.add(key);
  }

  organization({ orgId, org }: { orgId?: unknown; org?: unknown }): void {
    this.#closePart();
    this.#section = undefined;
    const index = this.#numberOfOrganizations++;
    if (index === 0 && typeof orgId === 'string') this.#firstOrganization = orgId;
    this.#organizations.push({
      index,
      ...(typeof orgId === 'string' && { orgId }),
      ...(org !== undefined && { org }),
      ...(this.#leftOut.size > 0 && { leftOut: [...this.#leftOut] }),
    });
    this.#leftOut.clear();
    this.#ungrouped += 1;
    if (this.#ungrouped === recordsOfPart) this.#closeOrganizations();
  }

  /** Everything was scanned. */
  end(): void {
    this.#closeOrganizations();
  }

  /** Takes the parts and organizations that are complete. */
  take(): { parts: ImportPart[]; organizations: ImportOrganization[] } {
    return { parts: this.#parts.splice(0), organizations: this.#organizations.splice(0) };
  }

  #closePart(): void {
    if (this.#section === undefined || this.#places.length === 0) return;
    const places = this.#places;
    const { key, phase } = this.#section;
    const at = { section: key, phase, org: this.#numberOfOrganizations, first: this.#before + 1 };
    this.#add({ ...at, places, orgs: 0, count: places.length });
    this.#before += places.length;
    this.#places = [];
  }

  #closeOrganizations(): void {
    if (this.#ungrouped === 0) return;
    const orgs = this.#ungrouped;
    const from = this.#numberOfOrganizations - orgs;
    // In the external form they are only looked up, and do not count.
    const count = this.#form === 'instance' ? orgs : 0;
    this.#add({ section: organizationKey, phase: 0, org: from, first: from + 1, places: [], orgs, count });
    this.#ungrouped = 0;
  }

  #add(part: Omit<ImportPart, 'id' | 'stagingId' | 'jobId'>): void {
    const { stagingId, jobId } = this.#of;
    this.#parts.push({ id: numberedId(stagingId, this.#numberOfParts++), stagingId, jobId, ...part });
  }
}
