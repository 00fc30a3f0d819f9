import type { Organization } from '#src/directory/index.js';
import { type LogosStore, shownLogo } from '#src/organizations/logo/index.js';
import { exportedDates } from '../format/dates.record.js';
import type { OrgRecord } from '../format/org.record.js';
import { exportSchemas } from './export-extensions.js';

/** An organization as a record of the file, with its uploaded logo. */
export async function exportWithLogo(
  logos: Pick<LogosStore, 'find'>,
  organization: Organization,
): Promise<OrgRecord> {
  return exportOrganization(organization, await shownLogo(logos, organization));
}

/**
 * An organization as a record of the file, without its lists.
 * @param logo its uploaded logo. The address at which this instance serves it means nothing to another one
 */
export function exportOrganization(organization: Organization, logo?: Buffer): OrgRecord {
  const { logoUrl, ...others } = organization.login;
  const login = logo === undefined ? organization.login : others;
  const { name, passwordPolicy, signInPolicy = {}, extensionSchemas } = organization;
  const { plainScimErrors, uniqueExternalId } = organization;
  return {
    name,
    ...exportedDates(organization),
    passwordPolicy,
    login,
    ...(Object.keys(signInPolicy).length > 0 && { signInPolicy }),
    ...(logo !== undefined && { logo: logo.toString('base64') }),
    ...(plainScimErrors && { plainScimErrors }),
    ...(uniqueExternalId && { uniqueExternalId }),
    ...(extensionSchemas &&
      extensionSchemas.schemas.length > 0 && {
        extensionSchemas: exportSchemas(extensionSchemas),
      }),
  };
}
