import { directoryErrors, type Organization, refusedValue } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';

/** One domain name of an organization. */
export interface OrganizationDomain {
  readonly domainName: string;
  /** Whether the service relies on the domain. A verified domain belongs to only one organization. */
  readonly isVerified: boolean;
  /** Whether users sign in as `name@domain`. By default, the first verified domain is the primary one. */
  readonly isPrimary: boolean;
}

export type DomainLists = Pick<Organization, 'domains' | 'unverifiedDomains'>;

/** Returns the domains of an organization: the primary one, the other verified ones, then the unverified ones. */
export function domainsOf({ domains, unverifiedDomains }: DomainLists): OrganizationDomain[] {
  return [
    ...domains.map((domainName, index) => ({ domainName, isVerified: true, isPrimary: index === 0 })),
    ...unverifiedDomains.map((domainName) => ({ domainName, isVerified: false, isPrimary: false })),
  ];
}

export function findDomain(lists: DomainLists, domainName: string): OrganizationDomain | undefined {
  return domainsOf(lists).find((domain) => domain.domainName === domainName);
}

/** @throws AppError `directory.domainNotFound` */
export function requireDomain(lists: DomainLists, domainName: string): OrganizationDomain {
  const found = findDomain(lists, domainName);
  if (found === undefined) throw new AppError(directoryErrors.domainNotFound);
  return found;
}

/**
 * Returns the lists with the domain added or changed. To change the primary domain, make another verified domain
 * primary.
 * @throws AppError `directory.valueInvalid` for a primary domain that is not verified
 */
export function withDomain(
  lists: DomainLists,
  { domainName, isVerified, isPrimary }: OrganizationDomain,
): DomainLists {
  if (isPrimary && !isVerified) {
    throw refusedValue('isPrimary', 'domainUnverified', 'A primary domain must be verified');
  }
  const others = withoutDomain(lists, domainName);
  if (!isVerified) return { ...others, unverifiedDomains: [...others.unverifiedDomains, domainName] };
  if (isPrimary) return { ...others, domains: [domainName, ...others.domains] };
  const position = lists.domains.indexOf(domainName);
  return {
    ...others,
    domains: others.domains.toSpliced(position < 0 ? others.domains.length : position, 0, domainName),
  };
}

export function withoutDomain({ domains, unverifiedDomains }: DomainLists, domainName: string): DomainLists {
  return {
    domains: domains.filter((name) => name !== domainName),
    unverifiedDomains: unverifiedDomains.filter((name) => name !== domainName),
  };
}
