import { ApiProblem } from '../http/api.js';
import { type ConsoleVisit, ownsOrganization } from '../http/visit.js';
import { type NamedOrganization, organizationOfPath } from '../resources/named-organization.js';

/**
 * The organization of the path, for its owners. The API would refuse the form of anybody else later, when it is filled in.
 * @throws ApiProblem 403
 */
export async function ownedOrganization(visit: ConsoleVisit): Promise<NamedOrganization> {
  const organization = await organizationOfPath(visit);
  if (ownsOrganization(visit, organization.id)) return organization;
  throw new ApiProblem({
    status: 403,
    id: 'tokens.permissionMissing',
    detail: 'Only an owner of the organization imports and exports',
  });
}
