import type { JsonObject } from '#src/platform/json/json-object.js';
import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import { plainWord } from '../terminal/plain-text.js';

/** A user as SCIM shows it. */
export interface SeenUser {
  readonly orgId: string;
  readonly id: string;
  readonly userName: string;
  readonly displayName: string;
  /** The primary address. '' if there is none. */
  readonly email: string;
  readonly active: boolean;
}

const scimJson = 'application/scim+json';
const attributes = ['userName', 'displayName', 'emails', 'active'];

const usersPath = (orgId: string) => `/scim/v2/${argumentSegment(orgId)}/Users`;
const userPath = (user: Pick<SeenUser, 'orgId' | 'id'>) =>
  `${usersPath(user.orgId)}/${argumentSegment(user.id)}`;

/**
 * Searches the users of an organization. The filter is in the body, so that no log of addresses has names.
 * @throws Refused, Unreachable
 */
export async function searchUsers(
  client: AdminClient,
  orgId: string,
  { filter, count }: { filter: string; count: number },
): Promise<SeenUser[]> {
  const { body } = await client.read(`${usersPath(orgId)}/.search`, {
    method: 'POST',
    headers: { 'content-type': scimJson },
    body: () =>
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        filter,
        count,
        attributes,
      }),
  });
  return objectsIn(body, 'Resources').map((resource) => readUser(orgId, resource));
}

function readUser(orgId: string, resource: JsonObject): SeenUser {
  const primary = objectsIn(resource, 'emails').find((email) => email['primary'] === true);
  return {
    orgId,
    id: textIn(resource, 'id'),
    userName: textIn(resource, 'userName'),
    displayName: textIn(resource, 'displayName'),
    email: primary === undefined ? '' : textIn(primary, 'value'),
    active: resource['active'] !== false,
  };
}

/** Sets whether a user is active. */
export async function patchActive(client: AdminClient, user: SeenUser, active: boolean): Promise<void> {
  const answer = await client.insist(userPath(user), {
    method: 'PATCH',
    headers: { 'content-type': scimJson },
    body: () =>
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value: active }],
      }),
  });
  await answer.body?.cancel();
}

/** Returns the user in words, for a line of text. */
export function nameOf({
  userName,
  displayName,
  id,
}: Pick<SeenUser, 'userName' | 'displayName' | 'id'>): string {
  const names = displayName === userName ? userName : `${userName} (${displayName})`;
  return plainWord(`${names}, user ${id}`);
}
