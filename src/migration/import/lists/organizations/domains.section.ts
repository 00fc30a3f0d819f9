import {
  blankOrganization,
  changedOrganization,
  type DomainLists,
  findDomain,
  type OrganizationDomain,
  organizationEvent,
  requireDomainName,
  withDomain,
} from '#src/organizations/index.js';
import { domainRecord } from '../../../format/domain.record.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection, SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type DomainsDeps = Pick<SectionDeps, 'organizations' | 'events' | 'caches'>;

type DomainItem = RecordItem<OrganizationDomain>;

const read = createRecordReader(domainRecord);

/** `domains`. No other organization may have a verified domain. Nothing relies on a domain that is not verified. */
export function domainsSection(deps: DomainsDeps): ImportSection {
  return {
    key: 'domains',
    errorType: 'domain',
    successKey: 'domains',
    phase: 1,
    forms: ['instance'],
    plan: (records, context) => plan(deps, records, context),
  };
}

async function plan(
  { organizations, events, caches }: DomainsDeps,
  records: readonly unknown[],
  context: SectionContext,
): Promise<SectionPlan> {
  const { orgId, editor, now } = context;
  const organization = await organizations.find(orgId);
  const earlier = await context.findReservingRecords([reservedName.domainsOf(orgId)]);
  const before = earlier.map(toDomain).reduce<DomainLists>(withDomain, organization ?? blankOrganization);
  const primaryBefore = before.domains[0];
  let after: DomainLists = { domains: before.domains, unverifiedDomains: before.unverifiedDomains };
  let chosen: string | undefined;

  const { outcomes, created, reservations } = await planRecords<DomainItem>(records, context, {
    nameOf: nameBy('domainName'),
    read(record) {
      const content = toDomain(record);
      return { id: content.domainName, key: content.domainName, content };
    },
    async survey(items, findReserved) {
      const names = items.map(({ key }) => key);
      const [owners, reserved] = await Promise.all([
        organizations.ownersOfDomains(names),
        findReserved(names.map(reservedName.domain)),
      ]);
      const isTaken = (name: string) => owners.has(name) || reserved.has(reservedName.domain(name));
      const stored = names.flatMap((name) => findDomain(before, name) ?? []);
      return {
        stored: new Map(stored.map((domain) => [domain.domainName, domain])),
        admit({ content }) {
          // Before anything is said about other organizations.
          if (content.isVerified && context.isConfined) throw new RecordFailure('NOT-PERMITTED');
          if (content.isVerified && isTaken(content.domainName)) throw new RecordFailure('NAME-TAKEN');
          const primary = primaryBefore ?? chosen;
          if (content.isPrimary && primary !== undefined) {
            throw new RecordFailure(
              'OTHER-CONTENT',
              'The organization has another primary domain: it differs in isPrimary',
            );
          }
          const next = withDomain(after, content);
          // Checks the rules of the whole list.
          changedOrganization({ ...blankOrganization, name: orgId }, next);
          after = next;
          if (content.isPrimary) chosen = content.domainName;
        },
      };
    },
    sharedReservations: ({ key, content }) => [
      reservedName.domainsOf(orgId),
      ...(content.isVerified ? [reservedName.domain(key)] : []),
    ],
    stated: (stored, given) => ({ ...stored, isPrimary: given.isPrimary && stored.isPrimary }),
    // The first verified domain becomes the primary one, even if its record does not say so.
    differences: (stored, given) => [
      ...(stored.isVerified === given.isVerified ? [] : ['isVerified']),
      ...(!given.isPrimary || stored.isPrimary || chosen === stored.domainName ? [] : ['isPrimary']),
    ],
  });
  return {
    outcomes,
    reservations,
    async write(transaction) {
      if (created.length === 0) return;
      if (organization === undefined) throw new PlanOutdated();
      const { version } = organization;
      // The domains are of the same file as the dates, if nothing else has changed the organization.
      const isNew = version === 1 && organization.imported !== undefined;
      const lastModified = isNew ? organization.lastModified : now;
      const changed = { ...organization, ...after, version: version + 1, lastModified };
      if (!(await organizations.replace(changed, version, transaction))) throw new PlanOutdated();
      const payload = { attributes: ['domains'] };
      await events.append(
        [organizationEvent('org.changed', { ...changed, lastModified: now }, { editor, payload })],
        transaction,
      );
    },
    written: () => caches.organizations.invalidate(orgId),
  };
}

function toDomain(record: unknown): OrganizationDomain {
  const { domainName, isVerified = false, isPrimary = false } = read(record);
  return { domainName: requireDomainName(domainName), isVerified, isPrimary: isPrimary && isVerified };
}
