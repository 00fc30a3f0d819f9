import { isDotSegment } from '#src/platform/path-segment.js';
import { ApiProblem } from '../http/api.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { apiOf, scimOf } from './organization-of.js';

/** A user or service user of the organization of the page. */
export interface NamedUser {
  readonly kind: 'person' | 'serviceUser';
  readonly name: string;
  readonly userName: string;
}

/** Finds the name of a user or service user. Undefined for one of another organization, or one that does not exist. */
export async function nameOfUser(visit: ConsoleVisit, userId: string): Promise<NamedUser | undefined> {
  if (isDotSegment(userId)) return undefined;
  const id = segmentOf(userId);
  const query = { attributes: 'userName,displayName' };
  const person = await orAbsent(
    visit.api.get<{ userName: string; displayName?: string }>(scimOf(visit, `/Users/${id}`), query),
  );
  if (person !== undefined) {
    return { kind: 'person', name: person.displayName ?? person.userName, userName: person.userName };
  }
  const program = await orAbsent(
    visit.api.get<{ userName: string; name: string }>(apiOf(visit, `/service-users/${id}`)),
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
