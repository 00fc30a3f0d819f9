import type { JsonObject } from '#src/platform/json/json-object.js';
import type { AdminClient } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';

/** A service user as the admin API shows it. */
export interface SeenServiceUser {
  readonly orgId: string;
  readonly id: string;
  readonly userName: string;
}

const serviceUsersPath = (orgId: string) => `/admin/v1/orgs/${argumentSegment(orgId)}/service-users`;

const json = { 'content-type': 'application/json' };

/** Returns the service user with this identifier or name. @throws Refused, Unreachable */
export async function findServiceUser(
  client: AdminClient,
  orgId: string,
  name: string,
): Promise<SeenServiceUser | undefined> {
  const folded = name.toLowerCase();
  for (let after = ''; ; ) {
    const query = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { body: list } = await client.read(`${serviceUsersPath(orgId)}?limit=100${query}`);
    const found = objectsIn(list, 'items')
      .map((one) => readServiceUser(orgId, one))
      .find(({ id, userName }) => id === name || userName.toLowerCase() === folded);
    const next = textIn(list, 'next');
    if (found !== undefined || next === '' || next === after) return found;
    after = next;
  }
}

/** Adds a service user. It has no role. */
export async function addServiceUser(
  client: AdminClient,
  orgId: string,
  userName: string,
): Promise<SeenServiceUser> {
  const body = () => JSON.stringify({ userName });
  const { body: added } = await client.read(serviceUsersPath(orgId), {
    method: 'POST',
    headers: json,
    body,
    tries: 1,
  });
  return readServiceUser(orgId, added);
}

/** Gives a role in the organization. Does nothing if the service user has it. */
export async function giveRole(client: AdminClient, user: SeenServiceUser, role: string): Promise<void> {
  const answer = await client.insist(`/admin/v1/orgs/${argumentSegment(user.orgId)}/memberships`, {
    method: 'POST',
    headers: json,
    body: () => JSON.stringify({ userId: user.id, role }),
    accepted: [409],
  });
  await answer.body?.cancel();
}

function readServiceUser(orgId: string, item: JsonObject): SeenServiceUser {
  return { orgId, id: textIn(item, 'id'), userName: textIn(item, 'userName') };
}
