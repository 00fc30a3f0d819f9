import t from 'tap';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import type { Role } from '#src/directory/roles.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { addGroup } from '#src/people/groups/add-group.js';
import { newId, newSecret } from '#src/platform/ids.js';
import { openConsole } from '../../support/app/console.js';
import { makeCaller, testEditor, uniqueName } from '../../support/app/make.js';
import {
  basic,
  makeApplication,
  type OAuthClient,
  postForm,
  redeemCode,
} from '../../support/app/oauth-client.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';

const opened = await buildTestApp(t);
const { container } = opened;
const { baseUrl } = container.config;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const instanceOwner = await openConsole(opened, await makeHome(container), { roles: ['IAM_OWNER'] });
const list = `/console/orgs/${home.id}/applications`;
const resultUri = `${baseUrl}/console/test-sign-in`;
const secretOf = (page: Seen) => /<code class="secret"[^>]*>([^<]+)<\/code>/.exec(page.text)?.[1] ?? '';
const stored = (id: string) => container.applications.find(home.id, id);

async function add(fields: Record<string, string>) {
  const form = await owner.get(`${list}/new?type=${fields['type']}`);
  return owner.fill(form, fields, `${list}/new`);
}

t.test('the wizard asks for the type first, and then only for what the type needs', async (t) => {
  const types = await owner.get(`${list}/new`);
  for (const type of ['web', 'spa', 'native']) t.match(types.text, `new?type=${type}`);
  t.match(types.text, `${list}/new/api`);
  const api = await owner.get(`${list}/new/api`);
  t.notMatch(api.text, 'name="redirectUris"');
  t.match(api.text, 'name="authMethod"');
  const spa = await owner.get(`${list}/new?type=spa`);
  t.match(spa.text, 'name="redirectUris"');
  t.notMatch(spa.text, 'name="authMethod"');
});

t.test('a new application shows its secret once, and what a developer copies', async (t) => {
  const added = await add({
    type: 'web',
    name: "It's <b>",
    redirectUris: 'https://a.example/cb\nhttps://b.example/cb',
  });
  t.equal(added.status, 200);
  const secret = secretOf(added);
  t.ok(secret.length > 20);
  t.match(added.text, `${baseUrl}/.well-known/openid-configuration`);
  t.match(added.text, 'with=express');
  t.match(added.text, 'It&#39;s &lt;b&gt;');
  const [, id = ''] =
    new RegExp(`${list}/([^/"?]+)"`).exec(added.text.replace(/applications\/new/g, '')) ?? [];
  t.same((await stored(id))?.redirectUris, ['https://a.example/cb', 'https://b.example/cb']);
  t.notMatch((await owner.get(`${list}/${id}`)).text, secret);
  const refused = await add({ type: 'spa', name: 'Bad', redirectUris: 'http://far.example/' });
  t.match(refused, { status: 400, text: /Line 1: Write an address with https/ });
  t.match(refused.text, '>http://far.example/</textarea>');
});

t.test('the page of an application says what a private scheme risks', async (t) => {
  const form = await owner.get(`${list}/new?type=native`);
  t.match(form.text, 'Other programs on the device can claim the same scheme');
  const added = await add({ type: 'native', name: 'Editor', redirectUris: 'vscode://acme.editor/cb' });
  t.equal(added.status, 200);
  const risk = 'Such a program can begin a sign-in in the name of the application';
  const { id } = await makeApplication(container, home.id, { type: 'native', redirectUris: ['myapp://cb'] });
  t.match((await owner.get(`${list}/${id}`)).text, risk);
  const bound = ['https://app.example/cb', 'http://127.0.0.1/cb'];
  const safe = await makeApplication(container, home.id, { type: 'native', redirectUris: bound });
  t.notMatch((await owner.get(`${list}/${safe.id}`)).text, risk);
  const refused = await add({ type: 'native', name: 'Bad', redirectUris: 'javascript:alert(1)' });
  t.match(refused, { status: 400, text: /No application can have the scheme javascript:/ });
  const umlaut = await add({ type: 'web', name: 'Bad', redirectUris: 'https://müller.example/cb' });
  t.match(umlaut, { status: 400, text: /https:\/\/xn--mller-kva\.example\/cb/ });
});

t.test('settings are changed, and a refused change keeps what was typed', async (t) => {
  const { id } = await makeApplication(container, home.id);
  const one = `${list}/${id}`;
  const page = await owner.get(one);
  t.match(page.text, 'What the organization of the person demands');
  const profile = { displayName: uniqueName('Group') };
  const orgId = home.id;
  const group = await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor });
  const rest = {
    acr: 'phr',
    authMethod: 'client_secret_post',
    accessTokenType: 'jwt',
    groupsClaim: 'identifiers',
    groupsClaimSelection: 'all',
    groupsClaimPrefix: 'app-',
    connectionId: 'a-connection',
    responseTypes: 'code',
    grantTypes: 'authorization_code',
    open: 'on',
  };
  const wrong = { ...rest, name: 'New', redirectUris: 'nothing', allowedGroups: `${group.id}\nnobodys` };
  const refused = await owner.fill(page, wrong, one);
  t.match(refused, { status: 400, text: />nothing<\/textarea>/ });
  const better = { ...wrong, redirectUris: 'https://new.example/cb' };
  t.match(await owner.fill(refused, better, one), {
    status: 400,
    text: /The organization has no such group/,
  });
  const good = { ...better, allowedGroups: group.id };
  t.equal((await owner.fill(refused, good, one)).status, 303);
  t.match(await stored(id), {
    name: 'New',
    authMethod: 'client_secret_post',
    accessTokenType: 'jwt',
    groupsClaimPrefix: 'app-',
    orgOnly: false,
    grantTypes: ['authorization_code'],
    acr: 'phr',
    allowedGroups: [group.id],
    connectionId: 'a-connection',
  });
  const late = await owner.fill(page, { ...good, name: 'Later' }, one);
  t.match(late, {
    status: 409,
    text: /changed the application .*People of other organizations may sign in: /,
  });
  t.match(late.text, 'value="Later"');
});

t.test(
  'the algorithm of ID tokens is chosen, and the page says what signs until clients know it',
  async (t) => {
    const { id } = await makeApplication(container, home.id);
    const one = `${list}/${id}`;
    const page = await owner.get(one);
    t.match(page.text, 'That of the service');
    t.notMatch(page.text, 'Signs its ID tokens until');
    const rest = {
      ...{ name: 'Shop', redirectUris: 'https://a.example/cb', authMethod: 'client_secret_basic' },
      ...{
        accessTokenType: 'opaque',
        groupsClaim: 'names',
        responseTypes: 'code',
        grantTypes: 'authorization_code',
      },
    };
    t.equal((await owner.fill(page, { ...rest, idTokenSignedResponseAlg: 'ES256' }, one)).status, 303);
    t.equal((await stored(id))?.idTokenSignedResponseAlg, 'ES256');
    const chosen = await owner.get(one);
    t.match(chosen.text, /Signs its ID tokens until clients know the chosen key<\/dt><dd>RS256</);
    t.match(chosen.text, /The chosen algorithm signs from<\/dt><dd><time/);
    t.equal((await owner.fill(chosen, { ...rest, idTokenSignedResponseAlg: '' }, one)).status, 303);
    t.equal((await stored(id))?.idTokenSignedResponseAlg, undefined);
    t.notMatch((await owner.get(one)).text, 'Signs its ID tokens until');
  },
);

t.test('only instance owners approve an application and let people administer through it', async (t) => {
  const { id } = await makeApplication(container, home.id, { orgOnly: false });
  const one = `${list}/${id}`;
  t.notMatch((await owner.get(one)).text, `${one}/mark`);
  const page = await instanceOwner.get(one);
  const marks = await instanceOwner.fill(page, { mark: 'approval', on: 'true' }, `${one}/mark`);
  t.equal(marks.status, 303);
  t.equal((await stored(id))?.approved, true);
  await instanceOwner.fill(
    await instanceOwner.get(one),
    { mark: 'administration', on: 'true' },
    `${one}/mark`,
  );
  t.equal((await stored(id))?.administers, true);
  t.match((await instanceOwner.get(one)).text, 'Forbid administration');
});

/** Begins a test with these scopes, and returns the page with its result. */
async function tested(id: string, scopes: readonly string[]): Promise<Seen> {
  const path = `${list}/${id}/test`;
  const [, form = ''] =
    new RegExp(`${path}"[^>]*>(.*?)</form>`, 's').exec((await owner.get(path)).text) ?? [];
  const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const begun = await owner.post(path, [
    ...hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
    ...scopes.map((scope): [string, string] => ['scopes', scope]),
  ]);
  t.match(begun.location, '/oauth/v2/authorize?', begun.text.slice(0, 300));
  return owner.follow(begun);
}

t.test('a test sign-in shows each claim with where it comes from, and leaves no token', async (t) => {
  const { id } = await makeApplication(container, home.id, { projectId: 'tested', accessTokenType: 'jwt' });
  const project = { orgId: home.id, projectId: 'tested', editor: testEditor };
  await addProjectRole(container, { ...project, id: 'tested' }, { key: 'clerk', displayName: 'Clerk' });
  const held = { kind: 'grant', holderId: owner.person.id, roles: ['clerk'] } as const;
  await addAssignment(container, { ...project, ...held });
  const before = await owner.get(`${list}/${id}/test`);
  t.match(before.text, 'A sign-in ends only at a redirect URI');
  const scopes = ['profile', 'email', 'urn:service:iam:org:projects:roles'];
  const result = await tested(id, scopes);
  t.match(result.url, /^\/console\/test-sign-in\?/);
  t.match(result.text, 'The sign-in works');
  t.ok((await stored(id))?.redirectUris.includes(resultUri));
  const from = (card: string, name: string) => {
    const [, section = ''] = result.text.split(`<h2>${card}`);
    const row = new RegExp(`<code[^>]*>${name}</code>.*?</tr>`, 's').exec(
      section.split('</section>')[0] ?? '',
    );
    return /class="badge soft">([^<]+)</.exec(row?.[0] ?? '')?.[1];
  };
  t.equal(from('ID token', 'nonce'), 'protocol');
  t.equal(from('ID token', 'aud'), 'setting of the application');
  t.equal(from('ID token', 'sub'), 'identifier of the person');
  t.equal(from('ID token', 'name'), undefined, 'the application reads it from userinfo');
  t.equal(from('Userinfo', 'name'), 'profile');
  t.equal(from('Userinfo', 'email'), 'profile');
  t.equal(from('Userinfo', 'urn:service:iam:org:project:roles'), 'role in a project');
  t.equal(from('Access token', 'username'), 'profile');
  t.match(plain(result.text), '{"active":false}');
  t.match(result.text, 'tokenNotForClient');

  const parameters = new URL(result.url, baseUrl).searchParams;
  const code = parameters.get('code') ?? '';
  t.ok(code.length > 20);
  t.notMatch(result.text, code, 'the page does not show the code');
  t.notMatch(result.text, /eyJ[\w-]+\.eyJ/, 'no token either');
  const [, jti = ''] = /<code[^>]*>jti<\/code>.*?<code[^>]*>([^<]+)</s.exec(result.text) ?? [];
  const issuedAt = Date.now() / 1000;
  const { revoked } = await container.revocations.check({ jti, sub: owner.person.id, issuedAt });
  t.ok(revoked, 'the token of the test has ended');
  const again = await owner.get(result.url);
  t.match(again.text, 'would get no tokens');

  const state = encodeURIComponent(parameters.get('state') ?? '');
  const failed = await owner.get(
    `/console/test-sign-in?error=access_denied&error_description=<b>&state=${state}`,
  );
  t.match(failed.text, 'access_denied');
  t.match(failed.text, '&lt;b&gt;');
  for (const strange of ['made-up', 'a b c d', `${state}x`, `%20${state}`, '%25 b c d']) {
    const page = await owner.get(`/console/test-sign-in?code=stolen&state=${strange}`);
    t.match(page.text, 'did not begin the test', strange);
    t.notMatch(page.text, 'stolen');
  }
  await owner.fill(await owner.get(`${list}/${id}/test`), { act: 'forbid' }, `${list}/${id}/test`);
  t.notOk((await stored(id))?.redirectUris.includes(resultUri));
});

t.test('a setting of the application and an opaque token are shown as they are', async (t) => {
  const { id } = await makeApplication(container, home.id, { idTokenUserinfoAssertion: true });
  const result = await tested(id, ['profile']);
  const [, idToken = ''] = result.text.split('<h2>ID token');
  t.match(idToken.split('</section>')[0], /<code[^>]*>preferred_username<\/code>/);
  t.match(result.text, 'Nobody can read an opaque token');
});

t.test('the API ends a test only for who may change the application, with code and verifier', async (t) => {
  const { id } = await makeApplication(container, home.id);
  const other = await makeApplication(container, home.id);
  const foreign = await makeHome(container);
  const redirectUri = 'https://app.example/cb';
  const codeFor = (clientId: string) =>
    container.codes.issue({
      ...{
        clientId,
        redirectUri,
        userId: owner.person.id,
        orgId: home.id,
        sessionId: newId(),
        scope: 'openid',
      },
      ...{ authTime: new Date(), amr: ['pwd'], codeChallenge: hashSecret(verifier) },
    });
  const verifier = newSecret();
  const post = async (orgId: string, roles: Role[], body: object, at = orgId) => {
    const { token } = await makeCaller(container, orgId, roles);
    return opened.call(`POST /admin/v1/orgs/${at}/applications/${id}/test-sign-in`, { as: { token }, body });
  };
  const body = async (clientId = id) => ({
    code: await codeFor(clientId),
    codeVerifier: verifier,
    redirectUri,
  });
  t.equal((await post(home.id, ['ORG_OWNER'], await body())).status, 200);
  t.equal((await post(home.id, ['ORG_USER_MANAGER'], await body())).status, 403);
  t.equal((await post(foreign.id, ['ORG_OWNER'], await body(), home.id)).status, 404, 'another organization');
  t.equal((await post(foreign.id, ['ORG_OWNER'], await body())).status, 404, 'not its application');
  const wrong = { ...(await body()), codeVerifier: newSecret() };
  t.equal((await post(home.id, ['ORG_OWNER'], wrong)).status, 400, 'another verifier');
  t.equal((await post(home.id, ['ORG_OWNER'], await body(other.id))).status, 400, 'a code of another one');
  const elsewhere = { ...(await body()), redirectUri: 'https://evil.example/cb' };
  t.equal((await post(home.id, ['ORG_OWNER'], elsewhere)).status, 400);
});

t.test('it is deactivated and removed', async (t) => {
  const { id } = await makeApplication(container, home.id, { name: 'Ending' });
  const one = `${list}/${id}`;
  await owner.fill(await owner.get(one), {}, `${one}/active`);
  t.equal((await stored(id))?.active, false);
  const asked = await owner.get(`${one}/remove`);
  t.match(
    (await owner.fill(asked, { confirmed: 'x' }, `${one}/remove`)).text,
    'Nothing was saved. Please correct this',
  );
  t.equal((await owner.fill(asked, { confirmed: 'Ending' }, `${one}/remove`)).status, 303);
  t.equal(await stored(id), undefined);
});

const plain = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'");
const scopeIn = (page: Seen) => /urn:service:iam:org:project:id:[^<: ]+:aud/.exec(page.text)?.[0] ?? '';
const secretsIn = (page: Seen) =>
  [...page.text.matchAll(/<code class="secret[^"]*"[^>]*>([^<]+)</g)].map(([, secret = '']) => secret);
const idOf = (page: Seen) => /introspect \\\n {2}-u ([\w-]+):/.exec(plain(page.text))?.[1] ?? '';

async function introspect(token: string, id: string, secret: string): Promise<unknown> {
  const { body } = await postForm(opened.call, '/oauth/v2/introspect', {
    form: { token },
    as: basic(id, secret),
  });
  return body['active'];
}

async function tokenOf(client: OAuthClient, scope: string): Promise<string> {
  const { body } = await redeemCode(opened, {
    client,
    person: owner.person,
    grant: { scope, authTime: new Date() },
  });
  return body['access_token'] as string;
}

t.test('an API that is added takes the tokens of those who were said to call it', async (t) => {
  const caller = await makeApplication(container, home.id, { name: 'Board' });
  const other = await makeApplication(container, home.id, { name: 'Elsewhere', projectId: 'elsewhere' });
  const form = await owner.get(`${list}/new/api?caller=${caller.id}`);
  t.match(form.text, new RegExp(`value="${caller.id}" checked`));
  t.notMatch(form.text, new RegExp(`value="${other.id}" checked`));
  const fields = { name: 'Orders', callers: caller.id, program: 'Nightly report' };
  const added = await owner.fill(form, fields, `${list}/new/api`);
  t.equal(added.status, 200);
  const [secret = '', programSecret = ''] = secretsIn(added);
  const id = idOf(added);
  t.match(await stored(id), { name: 'Orders', type: 'api' });
  t.equal((await stored(caller.id))?.projectId, (await stored(id))?.projectId);

  const ofCaller = await tokenOf(caller, 'openid');
  t.equal(await introspect(ofCaller, id, secret), true, 'a token of the caller, without any scope');
  const ofOther = await tokenOf(other, 'openid');
  t.equal(await introspect(ofOther, id, secret), false, 'a token of another application');
  const scoped = await tokenOf(other, `openid ${scopeIn(added)}`);
  t.equal(await introspect(scoped, id, secret), true, 'with the scope that the page shows');

  const [, programId = ''] = /-u ([\w-]+):"\$PROGRAM_SECRET"/.exec(plain(added.text)) ?? [];
  const { body } = await postForm(opened.call, '/oauth/v2/token', {
    form: { grant_type: 'client_credentials', scope: scopeIn(added) },
    as: basic(programId, programSecret),
  });
  t.equal(await introspect(body['access_token'] as string, id, secret), true, 'the program');
  const page = await owner.get(`${list}/${id}`);
  t.match(page.text, scopeIn(added));
  t.match(page.text, 'Board');
  for (const shown of [secret, programSecret]) t.notMatch(page.text, shown);
  await container.refusedAuthentications.flush();
  const log = await owner.get(`/console/orgs/${home.id}/log?person=${id}`);
  t.match(log.text, /got a token that is not for it/);
  t.match(log.text, /Elsewhere/);
});

t.test('an API that is refused leaves no project behind', async (t) => {
  const form = await owner.get(`${list}/new/api`);
  const before = (await container.projects.page(home.id, { limit: 100 })).length;
  const refused = await owner.fill(form, { name: 'Bad', authMethod: 'none' }, `${list}/new/api`);
  t.equal(refused.status, 400);
  t.equal((await container.projects.page(home.id, { limit: 100 })).length, before);
});

t.test('the page of an application leads to an API, and says what it must ask for', async (t) => {
  const lonely = await makeApplication(container, home.id, { type: 'api', name: 'Lonely' });
  const caller = await makeApplication(container, home.id, { name: 'Kiosk' });
  t.match((await owner.get(`${list}/${caller.id}`)).text, `${list}/${caller.id}/call`);
  const call = `${list}/${caller.id}/call`;
  t.match((await owner.get(call)).text, 'Lonely');
  t.match((await owner.get(`${call}?api=${lonely.id}`)).text, 'belongs to no project');
  const page = await owner.get(`${list}/${lonely.id}`);
  t.match(page.text, 'No token can be for this API yet');
  t.equal((await owner.fill(page, {}, `${list}/${lonely.id}/project`)).status, 303);
  const { projectId } = (await stored(lonely.id)) ?? {};
  t.type(projectId, 'string');
  await owner.fill(page, {}, `${list}/${lonely.id}/project`);
  t.equal((await stored(lonely.id))?.projectId, projectId, 'once');
  const steps = await owner.get(`${call}?api=${lonely.id}`);
  t.match(steps.text, scopeIn(steps));
  const token = await tokenOf(caller, `openid ${scopeIn(steps)}`);
  t.equal(await introspect(token, lonely.id, lonely.secret), true);
  t.equal((await owner.fill(steps, {}, call)).status, 303);
  t.equal((await stored(caller.id))?.projectId, projectId);
  t.match((await owner.get(`${call}?api=${lonely.id}`)).text, 'need not ask for a scope');
  t.equal(await introspect(await tokenOf(caller, 'openid'), lonely.id, lonely.secret), true);

  const foreign = await makeApplication(container, (await makeHome(container)).id, { type: 'api' });
  t.equal((await owner.get(`${call}?api=${foreign.id}`)).status, 404, 'not an API of another organization');
});

t.test('without an API, calling one begins with adding one', async (t) => {
  const first = await makeHome(container, { name: 'First' });
  const boss = await openConsole(opened, first, { roles: ['ORG_OWNER'] });
  const { id } = await makeApplication(container, first.id, { type: 'spa' });
  const applications = `/console/orgs/${first.id}/applications`;
  const led = await boss.get(`${applications}/${id}/call`);
  t.match(led, { status: 303, location: `${applications}/new/api?caller=${id}` });
});

t.test('applications are searched, and several are deactivated after a question', async (t) => {
  const one = await makeApplication(container, home.id, { name: 'Größe' });
  const two = await makeApplication(container, home.id, { name: 'Groesse <b>' });
  const found = await owner.get(`${list}?search=grosse`);
  t.match(found.text, 'Größe');
  t.match(found.text, 'Groesse &lt;b&gt;');
  t.match(found.text, /Found: 2</);
  t.match((await owner.get(`${list}?search=zzz`)).text, 'No application begins with this.');
  const chosen = `id=${one.id}&id=${two.id}`;
  const question = await owner.get(`${list}/actions?action=deactivateApplications&${chosen}`);
  t.match(question.text, 'Applications: 2. Deactivate them?');
  const done = await owner.follow(await owner.fill(question, {}, `${list}/actions`));
  t.match(done.text, 'The applications are deactivated.');
  t.same([(await stored(one.id))?.active, (await stored(two.id))?.active], [false, false]);
  const inactive = await owner.get(`${list}?active=false&search=gr`);
  t.match(inactive.text, /Found: 2</);
  const back = await owner.get(`${list}/actions?action=activateApplications&${chosen}`);
  await container.applications.remove(
    home.id,
    { id: two.id, expectedVersion: (await stored(two.id))?.version ?? 0 },
    undefined as never,
  );
  const partly = await owner.fill(back, {}, `${list}/actions`);
  t.match(partly.location ?? '', /done=activateApplications/, 'who is gone is left out');
  t.equal((await stored(one.id))?.active, true);
  t.equal((await owner.get(`${list}/actions?action=activateApplications&id=..`)).status, 400);
  t.equal((await instanceOwner.get(`${list}?sort=created%20desc`)).status, 200);
});
