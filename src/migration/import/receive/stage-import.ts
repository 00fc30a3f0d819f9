import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { importErrors } from '../lists/section/import-codes.js';
import type { ImportForm, ImportSections } from '../lists/section/section.js';
import { type SmallImport, smallImport } from '../stores/kept-imports.js';
import { PartBuilder } from './part-builder.js';
import { type RemoveStagingDeps, removeStaging } from './remove-staging.js';
import { ScanError } from './scan/scan-handler.js';
import { ImportScanner, type ScanRoot } from './scan/scan-import.js';

export interface StageImportDeps extends RemoveStagingDeps {
  readonly clock: Clock;
  readonly importSections: ImportSections;
  readonly config: { readonly importMaxBytes: number; readonly organizationImportMaxBytes: number };
}

interface StageImportRequest {
  readonly stagingId: string;
  readonly jobId: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly root: ScanRoot;
  /** The form, if the text does not tell it. */
  readonly form?: ImportForm;
  /** The records are compared, and not imported. */
  readonly verifies?: boolean;
  /** An owner of an organization asks, for whom other bounds count. */
  readonly isConfined?: boolean;
  readonly expires: Date;
}

/** What the text says beside its records. */
export interface StagedImport {
  /** The small properties of the body. */
  readonly properties: ReadonlyMap<string, unknown>;
  /** The properties of the body that have organizations. */
  readonly dataKeys: readonly string[];
  readonly form: ImportForm | undefined;
  /** The organization that everything is imported into; undefined if there are several. */
  readonly onlyOrganization: string | undefined;
  /** All of a short text with one organization and one part of records. Undefined for other texts. */
  readonly small: SmallImport | undefined;
  /**
   * Makes the text an import's, in the transaction that creates the import. A short text is stored by it, too. The transaction may be
   * repeated. @throws AppError `import.abandoned`
   */
  keep(transaction: Transaction): Promise<void>;
  /** Removes what is stored of a text that becomes no import's. */
  discard(): Promise<void>;
}

/** Parts and organizations that are written together. */
const batchSize = 50;
/** The most records and organizations of an import by the owner of an organization. The report may name each of them for a week. */
const mostConfined = 500_000;
/** How often the process notes that it is still staging the text. */
const noteMs = 60_000;

/**
 * Reads an import once, from its first byte to its last. Stores its text in sealed blocks, and its records as parts that
 * workers can take. Holds a few blocks in memory. If it fails, it removes what it stored. Of a text that is shorter than a block and has
 * few parts nothing is stored before {@link StagedImport.keep}. Until then a longer text belongs to no import, and `removeAbandoned`
 * removes it if the process dies.
 * @throws AppError `import.bodyMalformed`, `import.tooLarge`, `import.abandoned`
 */
export async function stageImport(deps: StageImportDeps, request: StageImportRequest): Promise<StagedImport> {
  const upload = new Upload(deps, request.stagingId);
  try {
    return await stage(deps, request, upload);
  } catch (error) {
    await upload.remove().catch(() => undefined);
    if (error instanceof ScanError) throw new AppError(importErrors.bodyMalformed, { detail: error.message });
    throw error;
  }
}

async function stage(
  deps: StageImportDeps,
  request: StageImportRequest,
  upload: Upload,
): Promise<StagedImport> {
  const { source, root, stagingId, expires, isConfined = false } = request;
  const bounds = boundsOf(deps.config, isConfined);
  const builder = new PartBuilder({ ...request, sections: deps.importSections });
  const scanner = new ImportScanner(root, builder);
  const writer = deps.staging.writer(stagingId, expires, () => upload.begin());
  const batch = new Batch(deps, request);
  const writeBatch = async ({ atLeast }: { atLeast: number }) => {
    batch.add(builder.take());
    if (batch.size < atLeast) return;
    await upload.begin();
    await batch.write();
  };
  let bytes = 0;

  try {
    for await (const chunk of source) {
      await upload.noteIfDue();
      bytes += chunk.length;
      if (bytes > bounds.bytes) throw tooLarge(bounds);
      scanner.push(chunk);
      if (builder.found > bounds.records) throw tooMany(bounds);
      await writer.write(chunk);
      await writeBatch({ atLeast: batchSize });
    }
    scanner.end();
    builder.end();
    await writeBatch({ atLeast: upload.hasBegun ? 1 : batchSize });
    if (upload.hasBegun) await writer.finish();
  } finally {
    await writer.settle();
  }
  if (upload.hasBegun) await upload.note();
  const { properties, dataKeys, form, onlyOrganization } = builder;
  return {
    properties,
    dataKeys,
    form,
    onlyOrganization,
    small: upload.hasBegun ? undefined : smallImport(batch.held, writer.short()),
    async keep(transaction) {
      if (upload.hasBegun) return upload.end(transaction);
      await writer.storeShort(transaction);
      await batch.write(transaction);
    },
    discard: () => upload.remove(),
  };
}

interface Bounds {
  readonly bytes: number;
  /** The setting that has the bytes. */
  readonly setting: string;
  /** Of records and organizations together. */
  readonly records: number;
}

function boundsOf(config: StageImportDeps['config'], isConfined: boolean): Bounds {
  const { importMaxBytes: bytes, organizationImportMaxBytes: confinedBytes } = config;
  if (!isConfined || confinedBytes >= bytes) {
    const records = isConfined ? mostConfined : Number.POSITIVE_INFINITY;
    return { bytes, setting: 'MUSTER_IMPORT_MAX_BYTES', records };
  }
  return { bytes: confinedBytes, setting: 'MUSTER_ORGANIZATION_IMPORT_MAX_BYTES', records: mostConfined };
}

function tooLarge({ bytes, setting }: Bounds): AppError {
  const detail = `The import has more than ${bytes} bytes, the limit of ${setting}`;
  return new AppError(importErrors.tooLarge, { detail });
}

function tooMany({ records }: Bounds): AppError {
  const detail = `The import of an organization has at most ${records} records; send several`;
  return new AppError(importErrors.tooLarge, { detail });
}

/** The note of a text that is being stored. It keeps other processes from removing the text. */
class Upload {
  readonly #deps: StageImportDeps;
  readonly #stagingId: string;
  #noted: Date | undefined;

  constructor(deps: StageImportDeps, stagingId: string) {
    this.#deps = deps;
    this.#stagingId = stagingId;
  }

  /** Whether something of the text may be stored. */
  get hasBegun(): boolean {
    return this.#noted !== undefined;
  }

  /** Call this before anything of the text is stored. */
  async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.#noted = this.#deps.clock.now();
    await this.#deps.uploads.begin(this.#stagingId, this.#noted);
  }

  /** @throws AppError `import.abandoned` */
  async note(): Promise<void> {
    this.#noted = this.#deps.clock.now();
    if (!(await this.#deps.uploads.goOn(this.#stagingId, this.#noted)))
      throw new AppError(importErrors.abandoned);
  }

  async noteIfDue(): Promise<void> {
    const last = this.#noted?.getTime();
    if (last !== undefined && this.#deps.clock.now().getTime() - last > noteMs) await this.note();
  }

  /** @throws AppError `import.abandoned` */
  async end(transaction: Transaction): Promise<void> {
    if (!(await this.#deps.uploads.end(this.#stagingId, transaction)))
      throw new AppError(importErrors.abandoned);
  }

  /** Removes what was stored. */
  async remove(): Promise<void> {
    if (this.hasBegun) await removeStaging(this.#deps, this.#stagingId);
  }
}

/** Parts and organizations that are complete and not stored yet. */
class Batch {
  readonly #deps: StageImportDeps;
  readonly #request: StageImportRequest;
  #held: ReturnType<PartBuilder['take']> = { parts: [], organizations: [] };

  constructor(deps: StageImportDeps, request: StageImportRequest) {
    this.#deps = deps;
    this.#request = request;
  }

  /** What is not stored yet. */
  get held(): ReturnType<PartBuilder['take']> {
    return this.#held;
  }

  get size(): number {
    return this.#held.parts.length + this.#held.organizations.length;
  }

  add({ parts, organizations }: ReturnType<PartBuilder['take']>): void {
    this.#held.parts.push(...parts);
    this.#held.organizations.push(...organizations);
  }

  /** Stores them. It keeps them for a repetition of the transaction, if it has one. */
  async write(transaction?: Transaction): Promise<void> {
    const { importOrganizations, importParts } = this.#deps;
    const { stagingId, expires } = this.#request;
    const { parts, organizations } = this.#held;
    if (transaction === undefined) this.#held = { parts: [], organizations: [] };
    await importOrganizations.insert(stagingId, organizations, expires, transaction);
    await importParts.insert(parts, expires, transaction);
  }
}
