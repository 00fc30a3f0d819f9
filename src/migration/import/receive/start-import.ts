import type { Credential } from '#src/access/authority/index.js';
import { type SubmitJobDeps, submitJob } from '#src/jobs/submit-job.js';
import { newId } from '#src/platform/ids.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import type { ImportsStore } from '../stores/imports.store.js';
import { keptImport, writeSmallImport } from '../stores/kept-imports.js';
import { type ObjectSources, writeImportObject } from './import-object.js';
import { type ImportEnvelope, readEnvelope } from './read-envelope.js';
import { type StageImportDeps, stageImport } from './stage-import.js';

type StartImportDeps = StageImportDeps & SubmitJobDeps & ObjectSources & { readonly imports: ImportsStore };

/** How long the report of an import is kept, in milliseconds. */
const retentionMs = 7 * 24 * 3600 * 1000;

interface ImportRequest {
  readonly source: AsyncIterable<Uint8Array>;
  readonly requestedBy: string;
  /** Organization of the requester. */
  readonly orgId: string;
  /** The organization of which the requester is an owner. Nothing is imported outside of it. Absent: an owner of the instance asks. */
  readonly within?: string;
  readonly credential?: Credential;
  /** The records are compared with what the service has, and nothing is imported. */
  readonly verifies?: boolean;
}

/**
 * Receives and stages an import, and submits it to the workers. The timeout counts from the first byte. If the body is no
 * import, or breaks off, nothing of it is left. The import queues under the organization that it concerns. If it concerns
 * several, it queues under the requester's. An import by the owner of an organization always queues under that organization.
 * @throws AppError of {@link readEnvelope} and {@link stageImport}, and the errors of {@link submitJob}
 */
export async function startImport(
  deps: StartImportDeps,
  request: ImportRequest,
): Promise<{ jobId: string; deadline: Date }> {
  const { id, deadline } = await submitJob(deps, () => prepareImport(deps, request));
  return { jobId: id, deadline };
}

/**
 * Stages the body. A small import is one document, its job. Of others, one transaction turns the staged text into an import, and stores a short
 * one. If the process dies before it, a longer
 * text is removed later (see {@link stageImport}).
 */
async function prepareImport(
  deps: StartImportDeps,
  { source, requestedBy, orgId, within, credential, verifies = false }: ImportRequest,
) {
  const { imports, clock } = deps;
  const jobId = newId();
  const created = clock.now();
  const expires = new Date(created.getTime() + retentionMs);
  const text = { stagingId: jobId, jobId, source, root: 'body' } as const;
  const isConfined = within !== undefined;
  const staged = await stageImport(deps, { ...text, verifies, isConfined, expires });
  let envelope: ImportEnvelope;
  try {
    envelope = readEnvelope(deps, staged, { verifies, isConfined });
  } catch (error) {
    await staged.discard();
    throw error;
  }
  const { timeoutMs, form, dryRun, strict, update, listExtra, object, ...rules } = envelope;
  const deadline = new Date(created.getTime() + timeoutMs);
  const staging = object === undefined ? { stagingId: jobId } : {};
  // Such a body only says where the data is, and holds the credentials to read it.
  if (object !== undefined) await staged.discard();
  const asked = { requestedBy, ...(credential && { credential }) };
  const options = { dryRun, ...(strict && { strict }), ...(update && { update }), ...rules };
  const about = {
    jobId,
    ...(isConfined && { orgId: within }),
    form,
    ...options,
    ...asked,
    created,
    deadline,
  };
  const verify = verifies && { verify: { listExtra } };
  const details = { ...about, ...verify, ...staging, expires: new Date(deadline.getTime() + retentionMs) };
  const { small } = staged;
  const isKept = small !== undefined && object === undefined && !verifies;
  const job = {
    id: jobId,
    kind: verifies ? 'verify' : 'import',
    orgId: within ?? '*',
    // An object is read later. Until then its organization is not known.
    queuedUnder: within ?? staged.onlyOrganization ?? orgId,
    requestedBy,
    total: 0,
    created,
    deadline,
    ...(isKept && { kept: keptImport(details, small) }),
    body: isKept
      ? writeSmallImport(small)
      : object === undefined
        ? Buffer.alloc(0)
        : writeImportObject(object),
  } as const;
  // Nothing else is stored of it.
  if (isKept) return { job };
  // If this transaction fails, the staged text stays for now: MongoDB may have committed it and its answer was lost.
  const alongside = async (transaction: Transaction) => {
    if (object === undefined) await staged.keep(transaction);
    await imports.insert(details, transaction);
  };
  // Whatever is left is removed later.
  const refused = () => staged.discard().catch(() => undefined);
  return { job, alongside, refused };
}
