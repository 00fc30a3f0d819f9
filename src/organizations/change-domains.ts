import type { Editor } from '#src/audit/event.js';
import { directoryErrors } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type ChangeOrganizationDeps, changeOrganization } from './change-organization.js';
import {
  type DomainLists,
  findDomain,
  type OrganizationDomain,
  requireDomain,
  withDomain,
  withoutDomain,
} from './organization-domains.js';
import { requireDomainName } from './organization-rules.js';

/** A domain of an organization, and the editor that changes it. */
interface DomainTarget {
  readonly orgId: string;
  readonly domainName: string;
  readonly editor: Editor;
}

/** An absent property stays as it is. For a new domain, it is false. */
type DomainChange = Partial<Pick<OrganizationDomain, 'isVerified' | 'isPrimary'>>;

/**
 * Adds a domain to an organization.
 * @throws AppError `directory.domainExists` and the errors of {@link changeOrganization}
 */
export async function addDomain(
  deps: ChangeOrganizationDeps,
  target: DomainTarget,
  given: DomainChange,
): Promise<OrganizationDomain> {
  const { changed, domainName } = await writeDomains(deps, target, (current, domainName) => {
    if (findDomain(current, domainName)) throw new AppError(directoryErrors.domainExists);
    return withDomain(current, { isVerified: false, isPrimary: false, ...given, domainName });
  });
  return requireDomain(changed, domainName);
}

/**
 * Changes a domain of an organization. If the primary domain becomes unverified, it is not the primary domain
 * afterwards. Whoever says whether it is verified ends its proof by DNS.
 * @throws AppError `directory.domainNotFound` and the errors of {@link changeOrganization}
 */
export async function changeDomain(
  deps: ChangeDomainDeps,
  target: DomainTarget,
  change: DomainChange,
): Promise<OrganizationDomain> {
  const { changed, domainName } = await writeDomains(
    deps,
    target,
    (current, domainName) => {
      const before = requireDomain(current, domainName);
      const isPrimary = before.isPrimary && change.isVerified !== false;
      return withDomain(current, { ...before, isPrimary, ...change });
    },
    change.isVerified === undefined ? undefined : forgetProof(deps, target),
  );
  return requireDomain(changed, domainName);
}

/**
 * Removes a domain from an organization. If it was the primary one, the next verified domain becomes primary.
 * @throws AppError `directory.domainNotFound` and the errors of {@link changeOrganization}
 */
export async function removeDomain(deps: ChangeDomainDeps, target: DomainTarget): Promise<void> {
  await writeDomains(
    deps,
    target,
    (current, domainName) => {
      requireDomain(current, domainName);
      return withoutDomain(current, domainName);
    },
    forgetProof(deps, target),
  );
}

/** The change of a domain, and what it ends. */
interface ChangeDomainDeps extends ChangeOrganizationDeps {
  readonly domainProofs: {
    remove(orgId: string, domainName: string, transaction: Transaction): Promise<void>;
  };
}

function forgetProof(
  { domainProofs }: ChangeDomainDeps,
  { orgId, domainName }: DomainTarget,
): (transaction: Transaction) => Promise<void> {
  return (transaction) => domainProofs.remove(orgId, requireDomainName(domainName), transaction);
}

async function writeDomains(
  deps: ChangeOrganizationDeps,
  { orgId, editor, ...target }: DomainTarget,
  step: (current: DomainLists, domainName: string) => DomainLists,
  alongside?: (transaction: Transaction) => Promise<void>,
): Promise<{ changed: DomainLists; domainName: string }> {
  const domainName = requireDomainName(target.domainName);
  const change = (current: DomainLists) => step(current, domainName);
  return {
    changed: await changeOrganization(deps, { orgId, editor, change, ...(alongside && { alongside }) }),
    domainName,
  };
}
