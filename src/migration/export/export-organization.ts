import type { Organization } from '#src/directory/index.js';
import { exportedDates } from '../format/dates.record.js';
import type { OrgRecord } from '../format/org.record.js';
import { exportSchemas } from './export-extensions.js';

/** An organization as a record of the file, without its lists. */
export function exportOrganization(organization: Organization): OrgRecord {
  const { name, passwordPolicy, login, plainScimErrors, uniqueExternalId, extensionSchemas } = organization;
  return {
    name,
    ...exportedDates(organization),
    passwordPolicy,
    login,
    ...(plainScimErrors && { plainScimErrors }),
    ...(uniqueExternalId && { uniqueExternalId }),
    ...(extensionSchemas &&
      extensionSchemas.schemas.length > 0 && {
        extensionSchemas: exportSchemas(extensionSchemas),
      }),
  };
}
