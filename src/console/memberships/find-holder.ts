import type { ConsoleApi } from '../http/api.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';

/** Somebody whom a typed text may mean. */
export interface TypedPerson {
  readonly userId: string;
  readonly userName: string;
  readonly displayName: string;
  readonly orgName?: string;
}

/**
 * Finds the people of all organizations who have a login name or an address, at most some twenty. Nobody is found for an identifier. Only
 * for owners of the service.
 */
export async function findEverywhere(api: ConsoleApi, text: string): Promise<readonly TypedPerson[]> {
  if (text === '') return [];
  const { holders } = await api.send<{ holders: readonly TypedPerson[] }>(
    'POST',
    '/admin/v1/login-names/_search',
    {
      loginName: text.slice(0, 400),
    },
  );
  return holders;
}

/** The identifier of the person of an organization who has a login name or an address. Any other text may be an identifier itself. */
export async function idOfPerson(
  { api }: Pick<ConsoleVisit, 'api'>,
  orgId: string,
  text: string,
): Promise<string> {
  const value = JSON.stringify(text);
  const { Resources = [] } = await api.get<{ Resources?: { id: string; userName: string }[] }>(
    `/scim/v2/${segmentOf(orgId)}/Users`,
    { filter: `userName eq ${value} or emails.value eq ${value}`, count: 2, attributes: 'id,userName' },
  );
  // A login name counts before the address of somebody else.
  const named = Resources.find(({ userName }) => userName.toLowerCase() === text.toLowerCase());
  return (named ?? (Resources.length === 1 ? Resources[0] : undefined))?.id ?? text;
}
