import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { importErrors } from '../sections/import-codes.js';
import type { ImportForm, ImportSections } from '../sections/section.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPartsStore } from '../stores/import-parts.store.js';
import type { UploadsStore } from '../stores/uploads.store.js';
import { PartBuilder } from './part-builder.js';
import { ScanError } from './scan-handler.js';
import { ImportScanner, type ScanRoot } from './scan-import.js';
import { Utf8Check } from './utf8-check.js';

export interface StageImportDeps {
  readonly staging: StagingStore;
  readonly importParts: ImportPartsStore;
  readonly importOrganizations: ImportOrganizationsStore;
  readonly uploads: UploadsStore;
  readonly clock: Clock;
  readonly importSections: ImportSections;
  readonly config: { readonly importMaxBytes: number };
}

/** What was staged: the properties of the envelope and where organizations were found. */
export interface StagedImport {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly found: readonly string[];
  readonly form: ImportForm | undefined;
  /** The organization that all of it is for, where it names no other. */
  readonly onlyOrganization: string | undefined;
}

/** Parts and organizations that are written together. */
const batch = 50;
/** How often it is noted that a text is still being staged. */
const noteMs = 60_000;
/** A text that nobody noted for so long is nobody's any more; no body and no object stands still for so long. */
const abandonedMs = 2 * 3_600_000;
/** Texts that are removed at once. */
const removals = 100;

/**
 * Reads an import once, from its first byte to its last, into sealed blocks and parts of records that workers can take.
 * No more than a few blocks are in memory at a time. Nothing is left when it fails. Whoever makes an import of it ends the
 * upload in the same transaction: until then nobody has the text, and {@link removeAbandoned} removes it after a while.
 * @param request `form` where the text does not say it itself
 * @throws AppError `import.bodyMalformed`, `import.tooLarge`, `import.abandoned`
 */
export async function stageImport(
  deps: StageImportDeps,
  request: {
    stagingId: string;
    jobId: string;
    source: AsyncIterable<Uint8Array>;
    root: ScanRoot;
    form?: ImportForm;
    expires: Date;
  },
): Promise<StagedImport> {
  try {
    return await stage(deps, request);
  } catch (error) {
    await removeStaging(deps, request.stagingId).catch(() => undefined);
    if (error instanceof ScanError) throw new AppError(importErrors.bodyMalformed, { detail: error.message });
    throw error;
  }
}

type Removal = Pick<StageImportDeps, 'staging' | 'importParts' | 'importOrganizations' | 'uploads'>;

/** Removes a staged text and the parts that no import has. */
export async function removeStaging(
  { staging, importParts, importOrganizations, uploads }: Removal,
  stagingId: string,
): Promise<void> {
  await Promise.all([staging, importParts, importOrganizations].map((store) => store.remove(stagingId)));
  await uploads.remove(stagingId);
}

/** Removes what processes left behind that died before it was an import's: it may hold password hashes. */
export async function removeAbandoned(deps: Removal & Pick<StageImportDeps, 'clock'>): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - abandonedMs);
  for (const stagingId of await deps.uploads.endAbandoned(before, removals))
    await removeStaging(deps, stagingId);
}

async function stage(
  {
    staging,
    importParts,
    importOrganizations,
    uploads,
    clock,
    importSections: sections,
    config,
  }: StageImportDeps,
  { source, root, expires, form, stagingId, jobId }: Parameters<typeof stageImport>[1],
): Promise<StagedImport> {
  const builder = new PartBuilder({ stagingId, jobId, sections, ...(form !== undefined && { form }) });
  const scanner = new ImportScanner(root, builder);
  const encoding = new Utf8Check();
  const writer = staging.writer(stagingId, expires);
  let noted = clock.now();
  await uploads.begin(stagingId, noted);
  let bytes = 0;
  let waiting = builder.take();

  const flush = async (least: number) => {
    const { parts, organizations } = builder.take();
    waiting.parts.push(...parts);
    waiting.organizations.push(...organizations);
    if (waiting.parts.length + waiting.organizations.length < least) return;
    const full = waiting;
    waiting = { parts: [], organizations: [] };
    await importOrganizations.insert(stagingId, full.organizations, expires);
    await importParts.insert(full.parts, expires);
  };

  for await (const chunk of source) {
    if (clock.now().getTime() - noted.getTime() > noteMs) {
      noted = clock.now();
      if (!(await uploads.goOn(stagingId, noted))) throw new AppError(importErrors.abandoned);
    }
    bytes += chunk.length;
    if (bytes > config.importMaxBytes) throw new AppError(importErrors.tooLarge);
    if (!encoding.push(chunk)) throw new ScanError(`It is not UTF-8 near byte ${bytes - chunk.length}`);
    scanner.push(chunk);
    await writer.write(chunk);
    await flush(batch);
  }
  if (!encoding.end()) throw new ScanError('It ends within a character');
  scanner.end();
  builder.end();
  await writer.finish();
  await flush(1);
  if (!(await uploads.goOn(stagingId, clock.now()))) throw new AppError(importErrors.abandoned);
  const { properties, found, form: foundForm, onlyOrganization } = builder;
  return { properties, found, form: foundForm, onlyOrganization };
}
