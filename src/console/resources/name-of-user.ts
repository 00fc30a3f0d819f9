import { isDotSegment } from '#src/platform/path-segment.js';
import { ApiProblem } from '../http/api.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, param } from '../http/visit.js';

/** A user or service user of the organization of the page. */
export interface NamedUser {
  readonly kind: 'person' | 'serviceUser';
  readonly name: string;
  readonly userName: string;
}

/**
 * Finds the name of a user or service user. Undefined for one of another organization, or one that does not exist.
 * @param orgId by default that of the page
 */
export async function nameOfUser(
  { api, ...visit }: Pick<ConsoleVisit, 'api' | 'request'>,
  userId: string,
  orgId: string = param(visit, 'orgId'),
): Promise<NamedUser | undefined> {
  if (orgId === '' || isDotSegment(userId)) return undefined;
  const [id, org] = [segmentOf(userId), segmentOf(orgId)];
  const query = { attributes: 'userName,displayName' };
  const person = await orAbsent(
    api.get<{ userName: string; displayName?: string }>(`/scim/v2/${org}/Users/${id}`, query),
  );
  if (person !== undefined) {
    return { kind: 'person', name: person.displayName ?? person.userName, userName: person.userName };
  }
  const program = await orAbsent(
    api.get<{ userName: string; name: string }>(`/admin/v1/orgs/${org}/service-users/${id}`),
  );
  return program && { kind: 'serviceUser', name: program.name, userName: program.userName };
}

/** The answer of a request, or undefined if there is no such object. */
export async function orAbsent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return undefined;
    throw error;
  }
}
