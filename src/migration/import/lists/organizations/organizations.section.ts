import type { Organization } from '#src/directory/index.js';
import { organizationEvent } from '#src/organizations/index.js';
import { importedLogo, type Logo, logoAddress } from '#src/organizations/logo/index.js';
import { exportWithLogo } from '../../../export/export-organization.js';
import { failedOutcome, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type {
  DoubtfulValue,
  ImportSection,
  Outcome,
  Reservation,
  SectionContext,
  SectionPlan,
} from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { organizationKey } from '../section/section-keys.js';
import { importedAt } from '../shared/imported-dates.js';
import { otherContent } from '../shared/other-content.js';
import { nameBy } from '../shared/record-reader.js';
import {
  type TakenIdentifiers,
  type TakenIdentifiersDeps,
  takenIdentifiers,
} from '../shared/taken-identifiers.js';
import { newOrganization, organizationDates, statedLogo } from './new-organization.js';
import { differingSettings, givenSettings, keptSettings, statedSettings } from './stated-settings.js';

type OrganizationsDeps = TakenIdentifiersDeps &
  Pick<SectionDeps, 'config' | 'events' | 'logos' | 'organizations' | 'threads'>;

const nameOf = nameBy('orgId');

/**
 * The organizations of the instance form: `{ orgId, org }`. An organization that exists stays as it is. The report of an import that updates
 * warns of settings that differ. An organization that does not exist is added.
 */
export function organizationsSection(deps: OrganizationsDeps): ImportSection {
  return {
    key: organizationKey,
    errorType: 'org',
    phase: 0,
    forms: ['instance'],
    plan: (records, context) => plan(deps, records, context),
  };
}

async function plan(
  deps: OrganizationsDeps,
  records: readonly unknown[],
  context: SectionContext,
): Promise<SectionPlan> {
  const { findReserved } = context;
  const ids = records.map(nameOf);
  const reserved = await findReserved(ids.map(reservedName.org));
  // Before the stored organizations are read: what another import adds in between is then among them, and skipped.
  const identifiers = await takenIdentifiers(deps, { orgId: '*', findReserved, ids, kind: 'organization' });
  const decisions = new OrganizationDecisions(deps, context, { reserved, identifiers });
  const decide =
    context.compared === undefined
      ? (record: unknown, place: number) => decisions.import(record, place)
      : (record: unknown, place: number) => decisions.compare(record, place);
  const outcomes: Outcome[] = [];
  const reservations: Reservation[] = [];
  // One after the other, because the first of two records counts.
  for (const record of records) {
    const id = nameOf(record);
    try {
      const kind = await decide(record, outcomes.length);
      if (kind === 'created') reservations.push({ record: outcomes.length, names: [reservedName.org(id)] });
      outcomes.push({ kind, id });
    } catch (error) {
      outcomes.push(failedOutcome(error, id));
    }
  }
  const { doubts, added, logos } = decisions;
  return {
    outcomes,
    doubts,
    reservations,
    write: writeOrganizations(deps, context, { added: [...added.values()], logos, identifiers }),
  };
}

/** Names that other records and other objects have taken. */
interface TakenNames {
  readonly reserved: ReadonlySet<string>;
  readonly identifiers: TakenIdentifiers;
}

/** What the decisions need. */
type DecisionDeps = Pick<OrganizationsDeps, 'config' | 'logos' | 'organizations' | 'threads'>;

/** Decides about the records of one part, one after the other. */
class OrganizationDecisions {
  readonly added = new Map<string, Organization>();
  /** The uploaded logos of the added ones, by organization. */
  readonly logos = new Map<string, Logo>();
  readonly doubts: DoubtfulValue[] = [];
  readonly #deps: DecisionDeps;
  readonly #context: SectionContext;
  readonly #names: TakenNames;

  constructor(deps: DecisionDeps, context: SectionContext, names: TakenNames) {
    this.#deps = deps;
    this.#context = context;
    this.#names = names;
  }

  /** What an import does with a record. @throws RecordFailure, and AppError of the directory's rules */
  async import(record: unknown, place: number): Promise<'created' | 'skipped'> {
    const { update, now } = this.#context;
    const id = nameOf(record);
    if (this.added.has(id) || this.#names.reserved.has(reservedName.org(id))) return 'skipped';
    const known = await this.#deps.organizations.find(id);
    if (known === undefined) return this.#add(id, record);
    if (update) {
      const stored = await exportWithLogo(this.#deps.logos, known);
      this.doubts.push(...keptSettings({ id, stored }, record, now).map((path) => ({ record: place, path })));
    }
    return 'skipped';
  }

  /** What a verification says of a record. One that is twice in a file and not there is missing twice. @throws as {@link import} */
  async compare(record: unknown, place: number): Promise<'created' | 'skipped'> {
    const { compared, now } = this.#context;
    const id = nameOf(record);
    const given = givenSettings(id, record, now);
    compared?.(place, { key: id, given });
    const found = await this.#deps.organizations.find(id);
    if (found === undefined) return this.added.has(id) ? 'created' : this.#add(id, record);
    const stored = await exportWithLogo(this.#deps.logos, found);
    compared?.(place, { key: id, given, stored: statedSettings(stored, given) });
    const names = differingSettings(stored, given);
    if (names.length > 0) throw otherContent(names);
    return 'skipped';
  }

  async #add(id: string, record: unknown): Promise<'created'> {
    const { now } = this.#context;
    if (this.#names.identifiers.taken.has(id)) throw new RecordFailure('ID-TAKEN');
    const dates = organizationDates(record, now);
    const organization = { ...newOrganization(id, record), version: 1, ...dates, ...importedAt(dates, now) };
    const bytes = statedLogo(record);
    if (bytes === undefined) {
      this.added.set(id, organization);
      return 'created';
    }
    const { threads, config } = this.#deps;
    const logo = await importedLogo(threads, { orgId: id, bytes });
    const logoUrl = logoAddress(config.baseUrl, { orgId: id, digest: logo.digest });
    this.added.set(id, { ...organization, login: { ...organization.login, logoUrl } });
    this.logos.set(id, logo);
    return 'created';
  }
}

/** Returns what a plan does in its transaction: it adds organizations. */
function writeOrganizations(
  stores: Pick<OrganizationsDeps, 'organizations' | 'events' | 'logos'>,
  { editor, now }: Pick<SectionContext, 'editor' | 'now'>,
  {
    added,
    logos,
    identifiers,
  }: {
    readonly added: readonly Organization[];
    readonly logos: ReadonlyMap<string, Logo>;
    readonly identifiers: TakenIdentifiers;
  },
): NonNullable<SectionPlan['write']> {
  return async (transaction) => {
    await identifiers.reserve(
      added.map(({ id }) => id),
      transaction,
    );
    for (const organization of added) await stores.organizations.insert(organization, transaction);
    for (const [orgId, logo] of logos) await stores.logos.put(orgId, logo, transaction);
    await stores.events.append(
      added.map((organization) => {
        const payload = { name: organization.name, domains: [] };
        return organizationEvent('org.added', { ...organization, lastModified: now }, { editor, payload });
      }),
      transaction,
    );
  };
}
