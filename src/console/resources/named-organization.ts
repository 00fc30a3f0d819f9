import { ApiProblem } from '../http/api.js';
import { pathTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, param } from '../http/visit.js';

/** An organization as a page names it. */
export interface NamedOrganization {
  readonly id: string;
  readonly name: string;
}

/**
 * The organization of the path, with its name. People whose roles name it know the name from `GET /admin/v1/me`.
 * @throws ApiProblem if the person does not reach it
 */
export async function organizationOfPath({
  api,
  me,
  request,
}: Pick<ConsoleVisit, 'api' | 'me' | 'request'>): Promise<NamedOrganization> {
  const id = param({ request }, 'orgId');
  const named = me.organizations.find((one) => one.id === id);
  if (named !== undefined) return named;
  return api.get<NamedOrganization>(pathTo('/admin/v1/orgs', id));
}

/**
 * {@link organizationOfPath}, for a form that changes users or groups. The API would refuse the form later, when it is filled in.
 * @throws ApiProblem 403 if the person may only look
 */
export async function managedOrganization(visit: ConsoleVisit): Promise<NamedOrganization> {
  const organization = await organizationOfPath(visit);
  if (managesUsers(visit, organization.id)) return organization;
  throw new ApiProblem({
    status: 403,
    id: 'tokens.permissionMissing',
    detail: 'The roles of this person do not permit changes here',
  });
}
