import { defaultLoginSettings, defaultPasswordPolicy, raisedPolicy } from '#src/directory/index.js';
import { blankOrganization, changedOrganization, requireOrganizationId } from '#src/organizations/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { orgRecord } from '../../../format/org.record.js';
import { RecordFailure } from '../section/record-failure.js';
import { type ImportedDates, importedDates } from '../shared/imported-dates.js';
import { importedSchemas } from '../shared/imported-extensions.js';
import { createRecordReader } from '../shared/record-reader.js';

const read = createRecordReader(orgRecord);

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
    signInPolicy,
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
      ...(signInPolicy && { signInPolicy }),
      plainScimErrors,
      uniqueExternalId,
      ...(extensionSchemas.length > 0 && { extensionSchemas: importedSchemas(extensionSchemas) }),
    }),
  };
}

/** The uploaded logo that a record states. @throws RecordFailure */
export function statedLogo(record: unknown): Buffer | undefined {
  const given = isJsonObject(record) ? record['org'] : undefined;
  const { logo = '' } = given === undefined || given === null ? {} : read(given);
  return logo === '' ? undefined : Buffer.from(logo, 'base64');
}

/** The dates of the organization that a record describes. @throws RecordFailure */
export function organizationDates(record: unknown, now: Date): ImportedDates {
  const given = isJsonObject(record) ? record['org'] : undefined;
  return importedDates(given === undefined || given === null ? {} : read(given), now);
}
