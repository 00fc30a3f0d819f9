import type { Logger } from '#src/platform/logger.js';
import type { LookUpTxt } from '#src/platform/outgoing/txt-records.js';
import { changeOrganization } from '../change-organization.js';
import { findDomain, withDomain } from '../organization-domains.js';
import { checkEveryMs, type DomainProof, graceMs, recordOf } from './domain-proof.js';
import { checkOf, type ProveDomainDeps } from './prove-domain.js';

export interface CheckDomainsDeps extends ProveDomainDeps {
  /** Tells the owners of an organization. `failing`: a record is missing. `lapsed`: the domain counts no more. */
  readonly tellOwners: (orgId: string, what: 'failing' | 'lapsed', at: Date) => Promise<void>;
}

/** The domains that are looked up at once. */
const atOnce = 5;
/** The most domains of one run. The next run goes on. */
const mostDomains = 10_000;

/** Whether the resolver finds out anything about the top-level domain of a domain. */
type ResolverWorks = (domainName: string) => Promise<boolean>;

/**
 * Looks for the records of proved domains that are due. A domain whose record was missing for a week counts no more, and the owners learn of both.
 * A record is missing too if the resolver fails for it alone, as it does when the name servers of the domain are gone. During an outage of
 * the resolver domains stay as they are. An operator may mark a domain, which needs no record.
 */
export async function checkProvedDomains(deps: CheckDomainsDeps, logger: Logger): Promise<void> {
  const resolverWorks = askOnce(deps.lookUpTxt);
  for (let seen = 0; seen < mostDomains; ) {
    const due = await deps.domainProofs.due(deps.clock.now(), atOnce);
    if (due.length === 0) return;
    await Promise.all(due.map((proof) => check({ ...deps, resolverWorks }, proof, logger)));
    seen += due.length;
  }
}

/** One question for each top-level domain, however many domains fail below it. */
function askOnce(lookUpTxt: LookUpTxt): ResolverWorks {
  const known = new Map<string, Promise<boolean>>();
  return (domainName) => {
    const top = domainName.slice(domainName.lastIndexOf('.') + 1);
    const works = known.get(top) ?? lookUpTxt(top).then(({ kind }) => kind !== 'failed');
    known.set(top, works);
    return works;
  };
}

type CheckDeps = CheckDomainsDeps & { readonly resolverWorks: ResolverWorks };

/** A failure concerns one domain, which is looked up again a day later. */
async function check(deps: CheckDeps, proof: DomainProof, logger: Logger): Promise<void> {
  const { orgId, domainName } = proof;
  try {
    await checkOne(deps, proof);
  } catch (error) {
    logger.warn({ err: error, orgId, domainName }, 'a domain was not checked');
    await deps.domainProofs.write(orgId, { ...proof, nextCheck: nextCheckOf(deps.clock.now()) });
  }
}

function nextCheckOf(now: Date): Date {
  return new Date(now.getTime() + checkEveryMs);
}

async function checkOne(deps: CheckDeps, proof: DomainProof): Promise<void> {
  const { orgId, domainName } = proof;
  const organization = await deps.organizations.find(orgId);
  // Whoever removed the domain, or no longer verifies it, needs no proof of it.
  if (organization === undefined || findDomain(organization, domainName)?.isVerified !== true)
    return deps.domainProofs.remove(orgId, domainName);
  const outcome = checkOf(await deps.lookUpTxt(recordOf(proof).name), proof);
  const now = deps.clock.now();
  const { failingSince, ...others } = proof;
  const checked = { ...others, checked: now, nextCheck: nextCheckOf(now) };
  if (outcome === 'proved') return deps.domainProofs.write(orgId, checked);
  if (outcome === 'resolverFailed' && !(await deps.resolverWorks(domainName)))
    return deps.domainProofs.write(orgId, { ...checked, ...(failingSince && { failingSince }) });
  const since = failingSince ?? now;
  if (now.getTime() - since.getTime() >= graceMs) return lapse(deps, { ...proof, checked: now });
  await deps.domainProofs.write(orgId, { ...checked, failingSince: since });
  if (failingSince === undefined) await deps.tellOwners(orgId, 'failing', now);
}

/** The domain stays with the organization, which may prove it again with the same record. */
async function lapse(deps: CheckDomainsDeps, proof: DomainProof): Promise<void> {
  const { orgId, domainName } = proof;
  const { proved: _proved, nextCheck: _next, ...left } = proof;
  const at = proof.checked ?? deps.clock.now();
  await changeOrganization(deps, {
    ...{ orgId, editor: { userId: orgId, service: 'domains' } },
    change(current) {
      const domain = findDomain(current, domainName);
      return domain === undefined
        ? {}
        : withDomain(current, { ...domain, isVerified: false, isPrimary: false });
    },
    alongside: (transaction) => deps.domainProofs.write(orgId, left, transaction),
  });
  await deps.tellOwners(orgId, 'lapsed', at);
}
