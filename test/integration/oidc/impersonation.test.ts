import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { approveApplication } from '#src/clients/applications/approve-application.js';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import type { User } from '#src/directory/user.js';
import { changeFeatures } from '#src/organizations/features/change-features.js';
import { changeUser } from '#src/people/users/change-user.js';
import { removeUser } from '#src/removal/remove-user.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import {
  makeApplication,
  makePerson,
  makeServiceClient,
  type OAuthClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { buildAnotherApp, buildTestApp } from '../../support/app/test-app.js';

/** Impersonation ends with the role, with the feature and with the actor, in every process. */

const opened = await buildTestApp(t);
const { container, call, clock } = opened;
const elsewhere = await buildAnotherApp(t, opened);
const organization = await makeOrganization(container);
// Without an owner no service user can be deactivated.
const owner = await makeCaller(container, organization.id, ['IAM_OWNER']);
const editor = testEditor;
const orgId = organization.id;
const tokenExchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const grantTypes = ['authorization_code', 'refresh_token', tokenExchange] as const;
const client = await makeApplication(container, orgId, { grantTypes: [...grantTypes] });
const person = await makePerson(container, organization);
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const userId = 'urn:service:params:oauth:token-type:user_id';
const scope = 'openid offline_access';

await changeFeatures(container, { tokenExchange: true }, editor);

async function signIn(whom: User, as: OAuthClient = client): Promise<string> {
  const grant = { scope, authTime: clock.now() };
  return (await redeemCode({ container, call }, { client: as, person: whom, grant })).body.access_token;
}

const exchange = (form: Record<string, string>, as = client.credentials) =>
  postForm(call, '/oauth/v2/token', { form: { grant_type: tokenExchange, ...form }, as });

/** Acts as the person with the token of an actor. */
const actWith = (actor_token: string, as = client.credentials) =>
  exchange(
    {
      subject_token: person.id,
      subject_token_type: userId,
      actor_token,
      actor_token_type: accessToken,
      scope,
    },
    as,
  );

const giveRole = async (id: string) =>
  (await addMembership(container, { userId: id, role: 'IMPERSONATOR', orgId, editor })).id;

/** The answers of every place where an impersonation could go on, in both processes. */
async function uses(
  { access, refresh }: { access: string; refresh?: string | undefined },
  as = client.credentials,
) {
  const answers: Record<string, unknown> = {};
  for (const [place, ask] of [
    ['here', call],
    ['elsewhere', elsewhere],
  ] as const) {
    answers[`userinfo ${place}`] = (await ask('GET /oidc/v1/userinfo', { as: { token: access } })).status;
    const { body } = await postForm(ask, '/oauth/v2/introspect', { form: { token: access }, as });
    answers[`introspection ${place}`] = body.active;
    const again = { grant_type: tokenExchange, subject_token: access, subject_token_type: accessToken };
    answers[`exchange ${place}`] = (await postForm(ask, '/oauth/v2/token', { form: again, as })).status;
  }
  if (refresh !== undefined) {
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    answers['refresh'] = (await postForm(elsewhere, '/oauth/v2/token', { form, as })).status;
  }
  return answers;
}

const outcome = (userinfo: number, active: boolean, token: number) => ({
  'userinfo here': userinfo,
  'introspection here': active,
  'exchange here': token,
  'userinfo elsewhere': userinfo,
  'introspection elsewhere': active,
  'exchange elsewhere': token,
});
const live = outcome(200, true, 200);
const ended = { ...outcome(401, false, 400), refresh: 400 };

interface Begun {
  readonly actor: User;
  readonly membershipId: string;
}

/** What ends an impersonation, and what makes a new one possible afterwards. */
const endings: Record<string, { end: (begun: Begun) => Promise<unknown>; undo?: () => Promise<unknown> }> = {
  'the role is taken away': {
    end: ({ membershipId }) =>
      call(`DELETE /admin/v1/orgs/${orgId}/memberships/${membershipId}`, { as: owner }),
  },
  'token exchange is turned off': {
    end: () => call('PATCH /admin/v1/features', { as: owner, body: { tokenExchange: false } }),
    undo: () => call('PATCH /admin/v1/features', { as: owner, body: { tokenExchange: true } }),
  },
  'the actor is deactivated': {
    end: ({ actor }) =>
      changeUser(container, {
        organization,
        id: actor.id,
        editor,
        change: (current) => ({ profile: { ...current, active: false } }),
      }),
  },
  'the actor is deleted': {
    end: ({ actor }) => removeUser(container, { orgId, id: actor.id, editor }),
  },
  'the person gets more rights than the actor': {
    end: () => addMembership(container, { userId: person.id, role: 'ORG_OWNER', orgId, editor }),
    undo: async () => {
      const [held] = await container.memberships.ofUser(person.id);
      await call(`DELETE /admin/v1/orgs/${orgId}/memberships/${held?.id}`, { as: owner });
    },
  },
};

for (const [name, { end, undo }] of Object.entries(endings)) {
  t.test(`the tokens end when ${name}`, async (t) => {
    const actor = await makePerson(container, organization);
    const membershipId = await giveRole(actor.id);
    const begin = await actWith(await signIn(actor));
    t.equal(begin.status, 200);
    const { access_token: access, refresh_token: refresh } = begin.body;
    t.same(await uses({ access }), live);
    await end({ actor, membershipId });
    t.same(await uses({ access, refresh }), ended);
    await undo?.();
  });
}

t.test('a turned-off token exchange ends no other token', async (t) => {
  const token = await signIn(person);
  await changeFeatures(container, { tokenExchange: false }, editor);
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token } })).status, 200);
  await changeFeatures(container, { tokenExchange: true }, editor);
});

t.test('the tokens of a service user that acts end with it', async (t) => {
  const machine = await makeServiceClient(container, orgId);
  await giveRole(machine.id);
  const form = { grant_type: 'client_credentials', scope: 'openid' };
  const own = await postForm(call, '/oauth/v2/token', { form, as: machine.credentials });
  const named = { subject_token: person.id, subject_token_type: userId };
  const acting = { actor_token: own.body.access_token, actor_token_type: accessToken };
  const { status, body } = await exchange({ ...named, ...acting }, machine.credentials);
  t.equal(status, 200);
  const isActive = async () =>
    (await call('GET /oidc/v1/userinfo', { as: { token: body.access_token } })).status;
  t.equal(await isActive(), 200);
  await changeServiceUser(container, { orgId, id: machine.id, change: { active: false }, editor });
  t.equal(await isActive(), 401);
});

t.test('an actor’s token works at clients of its organization alone', async (t) => {
  const other = await makeOrganization(container);
  const theirs = await makeApplication(container, other.id, { grantTypes: [...grantTypes], orgOnly: false });
  await approveApplication(container, { orgId: other.id, id: theirs.id, editor }, true);
  const actor = await makePerson(container, organization);
  await giveRole(actor.id);
  // The application serves people of both organizations, and got this token honestly.
  const token = await signIn(actor, theirs);
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token } })).status, 200);
  t.match(await actWith(token, theirs.credentials), { status: 400, body: { error: 'invalid_request' } });
  t.equal((await actWith(await signIn(actor))).status, 200, 'a client of its organization');

  const away = await makePerson(container, other);
  await giveRole(away.id);
  const begun = await actWith(await signIn(away, theirs), theirs.credentials);
  t.equal(begun.status, 200, 'client and actor are of one organization, and the client may serve the person');
  const { access_token: access, refresh_token: refresh } = begun.body;
  t.same(await uses({ access }, theirs.credentials), live);
  await approveApplication(container, { orgId: other.id, id: theirs.id, editor }, false);
  t.same(await uses({ access, refresh }, theirs.credentials), ended, 'it does no more');
});

t.test('a token with an actor costs an ordinary token nothing', async (t) => {
  const token = await signIn(person);
  const first = await call('GET /oidc/v1/userinfo', { as: { token } });
  t.equal(first.status, 200);
  let asked = 0;
  const { memberships, features } = container.caches;
  for (const cache of [memberships, features] as { get: (key: string) => Promise<unknown> }[]) {
    const { get } = cache;
    cache.get = (key) => {
      asked++;
      return get(key);
    };
    t.teardown(() => {
      cache.get = get;
    });
  }
  t.equal((await call('GET /oidc/v1/userinfo', { as: { token } })).status, 200);
  t.equal(asked, 0);
});
