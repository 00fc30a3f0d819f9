import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { importErrors } from '../sections/import-codes.js';
import type { ImportForm, ImportSections } from '../sections/section.js';
import { PartBuilder } from './part-builder.js';
import { type RemoveStagingDeps, removeStaging } from './remove-staging.js';
import { ScanError } from './scan-handler.js';
import { ImportScanner, type ScanRoot } from './scan-import.js';

export interface StageImportDeps extends RemoveStagingDeps {
  readonly clock: Clock;
  readonly importSections: ImportSections;
  readonly config: { readonly importMaxBytes: number };
}

export interface StageImportRequest {
  readonly stagingId: string;
  readonly jobId: string;
  readonly source: AsyncIterable<Uint8Array>;
  readonly root: ScanRoot;
  /** The form, if the text does not tell it. */
  readonly form?: ImportForm;
  /** The records are compared, and not imported. */
  readonly verifies?: boolean;
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
}

/** Parts and organizations that are written together. */
const batchSize = 50;
/** How often the process notes that it is still staging the text. */
const noteMs = 60_000;

/**
 * Reads an import once, from its first byte to its last. Stores its text in sealed blocks, and its records as parts that
 * workers can take. Holds a few blocks in memory. If it fails, it removes what it stored. The caller ends the upload in
 * the transaction that creates the import. Until then the text belongs to no import, and `removeAbandoned` removes it
 * if the process dies.
 * @throws AppError `import.bodyMalformed`, `import.tooLarge`, `import.abandoned`
 */
export async function stageImport(deps: StageImportDeps, request: StageImportRequest): Promise<StagedImport> {
  try {
    return await stage(deps, request);
  } catch (error) {
    await removeStaging(deps, request.stagingId).catch(() => undefined);
    if (error instanceof ScanError) throw new AppError(importErrors.bodyMalformed, { detail: error.message });
    throw error;
  }
}

async function stage(deps: StageImportDeps, request: StageImportRequest): Promise<StagedImport> {
  const { source, root, stagingId, expires } = request;
  const builder = new PartBuilder({ ...request, sections: deps.importSections });
  const scanner = new ImportScanner(root, builder);
  const writer = deps.staging.writer(stagingId, expires);
  const write = createBatchWriter(deps, request, builder);
  const upload = await beginUpload(deps, stagingId);
  let bytes = 0;

  try {
    for await (const chunk of source) {
      await upload.noteIfDue();
      bytes += chunk.length;
      if (bytes > deps.config.importMaxBytes) throw tooLarge(deps.config);
      scanner.push(chunk);
      await writer.write(chunk);
      await write({ atLeast: batchSize });
    }
    scanner.end();
    builder.end();
    await writer.finish();
  } finally {
    await writer.settle();
  }
  await write({ atLeast: 1 });
  await upload.note();
  const { properties, dataKeys, form, onlyOrganization } = builder;
  return { properties, dataKeys, form, onlyOrganization };
}

function tooLarge({ importMaxBytes }: StageImportDeps['config']): AppError {
  const detail = `The import has more than ${importMaxBytes} bytes, the limit of MUSTER_IMPORT_MAX_BYTES`;
  return new AppError(importErrors.tooLarge, { detail });
}

/** Begins an upload. Its notes keep other processes from removing the text. They throw AppError `import.abandoned`. */
async function beginUpload({ uploads, clock }: StageImportDeps, stagingId: string) {
  let noted = clock.now();
  await uploads.begin(stagingId, noted);
  const note = async (): Promise<void> => {
    noted = clock.now();
    if (!(await uploads.goOn(stagingId, noted))) throw new AppError(importErrors.abandoned);
  };
  const isDue = () => clock.now().getTime() - noted.getTime() > noteMs;
  return { note, noteIfDue: async () => (isDue() ? note() : undefined) };
}

/** @returns writes the parts and organizations that are complete, if there are at least so many of them */
function createBatchWriter(
  { importOrganizations, importParts }: StageImportDeps,
  { stagingId, expires }: StageImportRequest,
  builder: PartBuilder,
) {
  let waiting = builder.take();
  return async ({ atLeast }: { atLeast: number }): Promise<void> => {
    const { parts, organizations } = builder.take();
    waiting.parts.push(...parts);
    waiting.organizations.push(...organizations);
    if (waiting.parts.length + waiting.organizations.length < atLeast) return;
    const batch = waiting;
    waiting = { parts: [], organizations: [] };
    await importOrganizations.insert(stagingId, batch.organizations, expires);
    await importParts.insert(batch.parts, expires);
  };
}
