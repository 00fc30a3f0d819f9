import { isJsonObject } from '#src/platform/json/json-object.js';
import { exportOrganization } from '../../../export/export-organization.js';
import type { OrgRecord } from '../../../format/org.record.js';
import { statedDates } from '../shared/imported-dates.js';
import { mentions } from '../shared/mentions.js';
import { differingNames } from '../shared/other-content.js';
import { newOrganization, organizationDates, statedLogo } from './new-organization.js';

/**
 * The settings and dates that a record states, in the form of an export. Undefined if it states none.
 * @throws RecordFailure, and AppError of the directory's rules
 */
export function givenSettings(id: string, record: unknown, now: Date): Partial<OrgRecord> | undefined {
  const given = isJsonObject(record) ? record['org'] : undefined;
  if (given === undefined || given === null) return undefined;
  const dates = organizationDates(record, now);
  const { created, lastModified, ...settings } = exportOrganization(
    { ...newOrganization(id, record), version: 1, ...dates },
    statedLogo(record),
  );
  const stated = statedDates(dates, now);
  return {
    ...settings,
    ...(stated.created && created !== undefined && { created }),
    ...(stated.lastModified && lastModified !== undefined && { lastModified }),
  };
}

/** The names of the settings and dates in which an organization differs, as in `differingDates`. */
export function differingSettings(stored: OrgRecord, given: Partial<OrgRecord> | undefined): string[] {
  if (given === undefined) return [];
  return differingNames(statedSettings(stored, given) ?? {}, given);
}

/**
 * The paths of the settings that an update leaves as they are, although the record states others. If the record cannot be read, that is all of
 * them: its lists are updated nevertheless.
 * @param stored the organization as an export has it
 */
export function keptSettings(
  { id, stored }: { id: string; stored: OrgRecord },
  record: unknown,
  now: Date,
): string[] {
  try {
    const given = givenSettings(id, record, now);
    const names = differingSettings(stored, given);
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
export function statedSettings(
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
