import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import type { LookUpTxt, TxtAnswer } from '#src/platform/outgoing/txt-records.js';
import { type ChangeOrganizationDeps, changeOrganization } from '../change-organization.js';
import { requireDomain, withDomain } from '../organization-domains.js';
import { organizationEvent } from '../organization-events.js';
import { requireDomainName } from '../organization-rules.js';
import { requireOrganization } from '../require-organization.js';
import { checkEveryMs, type DomainProof, pauseMs, recordOf } from './domain-proof.js';
import type { DomainProofsStore } from './domain-proofs.store.js';
import { isPublicMailDomain } from './public-mail-domains.js';

export interface ProveDomainDeps extends ChangeOrganizationDeps {
  readonly domainProofs: DomainProofsStore;
  readonly lookUpTxt: LookUpTxt;
}

interface DomainOf {
  readonly orgId: string;
  readonly domainName: string;
}

/** What the resolver said of the record. */
export type DomainCheck =
  | 'proved'
  /** There is no TXT record at the name. */
  | 'recordMissing'
  /** There are TXT records, but none has the value. */
  | 'recordOther'
  /** The resolver did not find out. */
  | 'resolverFailed';

/**
 * Begins the proof of a domain that the organization has and that is not verified. It may be repeated, and the record stays.
 * @throws AppError `directory.organizationNotFound`, `directory.domainNotFound`, `directory.domainVerified`, `directory.domainPublic`
 */
export async function beginDomainProof(
  deps: ProveDomainDeps,
  { editor, ...given }: DomainOf & { editor: Editor },
): Promise<DomainProof> {
  const { organization, domainName } = await requireUnverified(deps, given);
  if (isPublicMailDomain(domainName)) throw new AppError(directoryErrors.domainPublic);
  const { id: orgId } = organization;
  const begun = await deps.domainProofs.find(orgId, domainName);
  if (begun !== undefined) return begun;
  const created = deps.clock.now();
  const proof = { orgId, domainName, token: newSecret(), created };
  // The organization does not change, so its version stays.
  const at = { ...organization, lastModified: created };
  const event = organizationEvent('org.domainProof.begun', at, { editor, payload: { domainName } });
  return deps.mongo.transactionOf(orgId, async (transaction) => {
    const stored = await deps.domainProofs.begin(orgId, proof, transaction);
    if (stored.token === proof.token) await deps.events.append([event], transaction);
    return stored;
  });
}

/**
 * Asks the resolver for the record, and verifies the domain if it is there. Of several organizations that prove one domain, one has it.
 * @throws AppError those of {@link beginDomainProof}, `directory.domainProofNotFound`, `directory.domainAskedLately`, and
 * `directory.organizationExists` if another organization has the domain
 */
export async function checkDomainProof(
  deps: ProveDomainDeps,
  { editor, ...given }: DomainOf & { editor: Editor },
): Promise<DomainCheck> {
  const { organization, domainName } = await requireUnverified(deps, given);
  const { id: orgId } = organization;
  const { proof, outcome, now } = await askResolver(deps, { orgId, domainName });
  if (outcome !== 'proved') return outcome;
  const { failingSince: _failing, ...fresh } = proof;
  const nextCheck = new Date(now.getTime() + checkEveryMs);
  await changeOrganization(deps, {
    ...{ orgId, editor },
    change: (current) => withDomain(current, { ...requireDomain(current, domainName), isVerified: true }),
    alongside: (transaction) =>
      deps.domainProofs.write(orgId, { ...fresh, checked: now, proved: now, nextCheck }, transaction),
  });
  return outcome;
}

/**
 * Asks the resolver for the record of a domain that is verified already. Nothing changes but the time of the question.
 * @throws AppError `directory.domainProofNotFound`, also if the domain was verified without a proof, `directory.domainAskedLately`
 */
export async function checkVerifiedDomain(
  deps: Pick<ProveDomainDeps, 'clock' | 'domainProofs' | 'lookUpTxt'>,
  given: DomainOf,
): Promise<DomainCheck> {
  return (await askResolver(deps, given)).outcome;
}

async function askResolver(
  { clock, domainProofs, lookUpTxt }: Pick<ProveDomainDeps, 'clock' | 'domainProofs' | 'lookUpTxt'>,
  { orgId, domainName }: DomainOf,
): Promise<{ proof: DomainProof; outcome: DomainCheck; now: Date }> {
  const proof = await domainProofs.find(orgId, domainName);
  if (proof === undefined) throw new AppError(directoryErrors.domainProofNotFound);
  const now = clock.now();
  const lastBefore = new Date(now.getTime() - pauseMs);
  if (!(await domainProofs.noteCheck(orgId, { domainName, now, lastBefore })))
    throw new AppError(directoryErrors.domainAskedLately, { retryAfterSeconds: pauseMs / 1000 });
  return { proof, outcome: checkOf(await lookUpTxt(recordOf(proof).name), proof), now };
}

/** What an answer of the resolver means for a proof. */
export function checkOf(answer: TxtAnswer, proof: Pick<DomainProof, 'domainName' | 'token'>): DomainCheck {
  if (answer.kind === 'failed') return 'resolverFailed';
  if (answer.kind === 'absent') return 'recordMissing';
  return answer.texts.some((text) => text.trim() === recordOf(proof).value) ? 'proved' : 'recordOther';
}

async function requireUnverified(
  { organizations }: Pick<ProveDomainDeps, 'organizations'>,
  { orgId, domainName: given }: DomainOf,
): Promise<{ organization: Organization; domainName: string }> {
  const domainName = requireDomainName(given);
  const organization = await requireOrganization(organizations.find, orgId);
  if (requireDomain(organization, domainName).isVerified) throw new AppError(directoryErrors.domainVerified);
  return { organization, domainName };
}
