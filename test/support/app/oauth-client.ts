import { addApplication } from '#src/clients/applications/add-application.js';
import type { Application, GivenSettings } from '#src/clients/applications/application.js';
import { addClientSecret } from '#src/clients/change-credentials/client-secrets.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import type { Organization } from '#src/directory/organization.js';
import type { User, UserProfileInput } from '#src/directory/user.js';
import type { AuthorizationGrant } from '#src/oidc/issuance/authorization-grant.js';
import { addUser } from '#src/people/users/add-user.js';
import { newId } from '#src/platform/ids.js';
import type { Rooms } from '#src/rooms.js';
import { testEditor, uniqueName } from './make.js';
import type { Answer, Call } from './test-app.js';

/** A client that can call the OAuth endpoints. */
export interface OAuthClient {
  readonly id: string;
  readonly application: Application;
  readonly secret: string;
  /** The Basic header of the client. A client without a secret sends its client_id in the form. */
  readonly credentials: Credentials;
}

/** The credentials of a client. */
export interface Credentials {
  readonly headers?: Record<string, string>;
  readonly form?: Record<string, string>;
}

export const redirectUri = 'https://client.example/callback';

export function basic(id: string, secret: string): Credentials {
  const parts = [id, secret].map(encodeURIComponent).join(':');
  return { headers: { authorization: `Basic ${Buffer.from(parts).toString('base64')}` } };
}

/** Sends a form to an OAuth endpoint as a client. */
export function postForm(
  call: Call,
  path: string,
  { form, as = {} }: { form: Record<string, string>; as?: Credentials },
): Promise<Answer> {
  return call(`POST ${path}`, {
    body: new URLSearchParams({ ...as.form, ...form }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...as.headers },
  });
}

export async function makeApplication(
  container: Rooms,
  orgId: string,
  settings: Partial<GivenSettings> = {},
): Promise<OAuthClient> {
  const type = settings.type ?? 'web';
  const { application, clientSecret = '' } = await addApplication(container, {
    orgId,
    mayAddProject: true,
    settings: {
      name: uniqueName('Application'),
      type,
      ...(type !== 'api' && { redirectUris: [redirectUri] }),
      ...settings,
    },
    editor: testEditor,
  });
  const { id } = application;
  const credentials = clientSecret === '' ? { form: { client_id: id } } : basic(id, clientSecret);
  return { id, application, secret: clientSecret, credentials };
}

export function makePerson(
  container: Rooms,
  organization: Organization,
  profile: Partial<UserProfileInput> = {},
): Promise<User> {
  const userName = uniqueName('person');
  return addUser(container, {
    organization,
    draft: {
      profile: {
        userName,
        name: { givenName: 'Anna', familyName: 'Lind' },
        emails: [{ value: `${userName}@example.com`, primary: true }],
        ...profile,
      },
      password: 'Correct-Horse-7',
    },
    editor: testEditor,
  });
}

/** A service user with a client secret. */
export async function makeServiceClient(container: Rooms, orgId: string) {
  const added = await addServiceUser(container, {
    orgId,
    userName: uniqueName('machine'),
    editor: testEditor,
  });
  const { clientSecret } = await addClientSecret(container, {
    kind: 'serviceUser',
    orgId,
    id: added.id,
    editor: testEditor,
  });
  const credentials = basic(added.id, clientSecret);
  return { id: added.id, userName: added.userName, secret: clientSecret, credentials };
}

/** The grant of a person who has signed in. */
export function grantOf(
  client: OAuthClient,
  person: User,
  differences: Partial<AuthorizationGrant> = {},
): AuthorizationGrant {
  return {
    clientId: client.id,
    redirectUri,
    userId: person.id,
    orgId: person.orgId,
    sessionId: newId(),
    scope: 'openid',
    authTime: new Date(),
    amr: ['pwd'],
    familyId: newId(),
    ...differences,
  };
}

/** Redeems a new code. */
export async function redeemCode(
  { container, call }: { container: Rooms; call: Call },
  { client, person, grant }: { client: OAuthClient; person: User; grant?: Partial<AuthorizationGrant> },
): Promise<Answer> {
  const code = await container.codes.issue(grantOf(client, person, grant));
  return postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
    as: client.credentials,
  });
}
