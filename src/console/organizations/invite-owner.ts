import { ApiProblem } from '../http/api.js';
import { requireFreshSignIn } from '../http/require-fresh-sign-in.js';
import { segmentOf } from '../http/segments.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { orAbsent } from '../resources/name-of-user.js';

/** What exists already. */
export interface InvitationProgress {
  organization?: boolean;
  person?: boolean;
  role?: boolean;
}

export interface Invited {
  readonly orgId: string;
  /** The one-time link of the owner. */
  readonly link: string;
}

/**
 * Adds the organization of the form, its owner, the role and a one-time link. What exists already is taken, so that the same form
 * can be sent again.
 * @param progress says what exists if it throws
 * @throws ApiProblem
 */
export async function inviteOwner(visit: ConsoleVisit, progress: InvitationProgress): Promise<Invited> {
  const { api } = visit;
  requireFreshSignIn(visit);
  const orgId = await organizationOf(visit);
  progress.organization = true;
  const base = `/admin/v1/orgs/${segmentOf(orgId)}`;
  const userId = await personOf(visit, orgId);
  progress.person = true;
  await orExists(
    api.send('POST', `${base}/memberships`, { userId, role: 'ORG_OWNER' }),
    'directory.membershipExists',
  );
  progress.role = true;
  const path = `${base}/users/${segmentOf(userId)}/one-time-links`;
  const { url } = await api.send<{ url: string }>('POST', path, {});
  return { orgId, link: url };
}

/** The organization with the identifier and the name of the form. It is added if it does not exist. */
async function organizationOf({ api, ...visit }: ConsoleVisit): Promise<string> {
  const [id, name] = [fieldText(visit, 'id'), fieldText(visit, 'name')];
  const found = await orAbsent(api.get<{ id: string; name: string }>(`/admin/v1/orgs/${segmentOf(id)}`));
  if (found?.name === name && name !== '') return found.id;
  return (await api.send<{ id: string }>('POST', '/admin/v1/orgs', { ...(id !== '' && { id }), name })).id;
}

/** The person with the user name of the form. It is added if it does not exist. */
async function personOf({ api, ...visit }: ConsoleVisit, orgId: string): Promise<string> {
  const [userName, email, givenName, familyName] = ['userName', 'email', 'givenName', 'familyName'].map(
    (name) => fieldText(visit, name),
  ) as [string, string, string, string];
  const users = `/scim/v2/${segmentOf(orgId)}/Users`;
  const filter = `userName eq ${JSON.stringify(userName)}`;
  const found = await api.get<{ Resources?: { id: string }[] }>(users, {
    filter,
    count: 1,
    attributes: 'id',
  });
  const existing = found.Resources?.[0];
  if (existing !== undefined) return existing.id;
  const added = await api.send<{ id: string }>('POST', users, {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName,
    name: { givenName, familyName },
    emails: [{ value: email, type: 'work', primary: true }],
  });
  return added.id;
}

/** Waits for a request. The object that it adds may exist already. */
async function orExists(added: Promise<unknown>, errorId: string): Promise<void> {
  try {
    await added;
  } catch (error) {
    if (!(error instanceof ApiProblem && error.id === errorId)) throw error;
  }
}
