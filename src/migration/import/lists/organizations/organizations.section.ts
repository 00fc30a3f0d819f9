import {
  defaultLoginSettings,
  defaultPasswordPolicy,
  type Organization,
  raisedPolicy,
} from '#src/directory/index.js';
import {
  blankOrganization,
  changedOrganization,
  organizationEvent,
  requireOrganizationId,
} from '#src/organizations/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { exportOrganization } from '../../../export/export-organization.js';
import { type OrgRecord, orgRecord } from '../../../format/org.record.js';
import { failedOutcome, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type {
  ImportSection,
  KeptValue,
  Outcome,
  Reservation,
  SectionContext,
  SectionPlan,
} from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { organizationKey } from '../section/section-keys.js';
import { type ImportedDates, importedAt, importedDates, statedDates } from '../shared/imported-dates.js';
import { importedSchemas } from '../shared/imported-extensions.js';
import { mentions } from '../shared/mentions.js';
import { differingNames, otherContent } from '../shared/other-content.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';
import { type TakenIdentifiersDeps, takenIdentifiers } from '../shared/taken-identifiers.js';

type OrganizationsDeps = TakenIdentifiersDeps & Pick<SectionDeps, 'organizations' | 'events'>;

const read = createRecordReader(orgRecord);
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
  const { organizations, events } = deps;
  const { now, editor, findReserved, update, compared } = context;
  const added = new Map<string, Organization>();
  const ids = records.map(nameOf);
  const reserved = await findReserved(ids.map(reservedName.org));
  // Before the stored organizations are read: what another import adds in between is then among them, and skipped.
  const identifiers = await takenIdentifiers(deps, { orgId: '*', findReserved, ids, kind: 'organization' });

  const kept: KeptValue[] = [];
  const decide = async (record: unknown, place: number): Promise<'created' | 'skipped'> => {
    const id = nameOf(record);
    if (compared !== undefined) {
      const given = settingsOf(id, record, now);
      compared(place, { key: id, given });
      const found = await organizations.find(id);
      if (found !== undefined) {
        const stored = exportOrganization(found);
        compared(place, { key: id, given, stored: statedSettings(stored, given) });
        const names = differingSettings(stored, given);
        if (names.length > 0) throw otherContent(names);
        return 'skipped';
      }
    }
    // One that is twice in a file and not there is missing twice.
    if (compared !== undefined && added.has(id)) return 'created';
    if (added.has(id) || reserved.has(reservedName.org(id))) return 'skipped';
    const known = await organizations.find(id);
    if (known !== undefined) {
      if (update) kept.push(...keptSettings(known, record, now).map((path) => ({ record: place, path })));
      return 'skipped';
    }
    if (identifiers.taken.has(id)) throw new RecordFailure('ID-TAKEN');
    const dates = datesOf(record, now);
    added.set(id, { ...newOrganization(id, record), version: 1, ...dates, ...importedAt(dates, now) });
    return 'created';
  };

  const outcomes: Outcome[] = [];
  const reservations: Reservation[] = [];
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
  return {
    outcomes,
    kept,
    reservations,
    async write(transaction) {
      await identifiers.reserve([...added.keys()], transaction);
      for (const organization of added.values()) await organizations.insert(organization, transaction);
      await events.append(
        [...added.values()].map((organization) =>
          organizationEvent(
            'org.added',
            { ...organization, lastModified: now },
            {
              editor,
              payload: { name: organization.name, domains: [] },
            },
          ),
        ),
        transaction,
      );
    },
  };
}

/**
 * The settings and dates that a record states, in the form of an export. Undefined if it states none.
 * @throws RecordFailure, and AppError of the directory's rules
 */
function settingsOf(id: string, record: unknown, now: Date): Partial<OrgRecord> | undefined {
  const given = isJsonObject(record) ? record['org'] : undefined;
  if (given === undefined || given === null) return undefined;
  const dates = datesOf(record, now);
  const { created, lastModified, ...settings } = exportOrganization({
    ...newOrganization(id, record),
    version: 1,
    ...dates,
  });
  const stated = statedDates(dates, now);
  return {
    ...settings,
    ...(stated.created && created !== undefined && { created }),
    ...(stated.lastModified && lastModified !== undefined && { lastModified }),
  };
}

/** The names of the settings and dates in which an organization differs, as in `differingDates`. */
function differingSettings(stored: OrgRecord, given: Partial<OrgRecord> | undefined): string[] {
  if (given === undefined) return [];
  return differingNames(statedSettings(stored, given) ?? {}, given);
}

/**
 * The paths of the settings that an update leaves as they are, although the record states others. If the record cannot be read, that is all of
 * them: its lists are updated nevertheless.
 */
function keptSettings(organization: Organization, record: unknown, now: Date): string[] {
  try {
    const given = settingsOf(organization.id, record, now);
    const names = differingSettings(exportOrganization(organization), given);
    const isKept = (name: string) =>
      !['created', 'lastModified'].includes(name) && mentions(record, 'org', name);
    return names.filter(isKept).map((name) => `org.${name}`);
  } catch {
    return ['org'];
  }
}

/**
 * The settings of an organization without dates that the record does not state. Nothing if the record states nothing. A later
 * `lastModified` of the record counts as the organization's.
 */
function statedSettings(
  { created, lastModified = '', ...settings }: OrgRecord,
  given: Partial<OrgRecord> | undefined,
): object | undefined {
  return (
    given && {
      ...settings,
      ...(given.created !== undefined && { created }),
      // Both are texts of `toISOString`, whose order is that of the dates.
      ...(given.lastModified !== undefined && {
        lastModified: given.lastModified > lastModified ? given.lastModified : lastModified,
      }),
    }
  );
}

/** @throws RecordFailure */
function datesOf(record: unknown, now: Date): ImportedDates {
  const given = isJsonObject(record) ? record['org'] : undefined;
  return importedDates(given === undefined || given === null ? {} : read(given), now);
}

/**
 * Returns the organization that a record describes.
 * @throws RecordFailure, and AppError of the directory's rules
 */
export function newOrganization(id: string, record: unknown) {
  const given = isJsonObject(record) ? record['org'] : undefined;
  if (given === undefined || given === null) {
    throw new RecordFailure('VALUE-MISSING', 'org.name is required for an organization that does not exist');
  }
  const {
    name,
    passwordPolicy = defaultPasswordPolicy,
    login = defaultLoginSettings,
    plainScimErrors = false,
    uniqueExternalId = false,
    extensionSchemas = [],
  } = read(given);
  return {
    id: requireOrganizationId(id),
    ...changedOrganization(blankOrganization, {
      name,
      passwordPolicy: raisedPolicy(passwordPolicy),
      login,
      plainScimErrors,
      uniqueExternalId,
      ...(extensionSchemas.length > 0 && { extensionSchemas: importedSchemas(extensionSchemas) }),
    }),
  };
}
