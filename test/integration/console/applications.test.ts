import t from 'tap';
import { openConsole } from '../../support/app/console.js';
import { makeApplication } from '../../support/app/oauth-client.js';
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
const secretOf = (page: Seen) => /<code class="secret">([^<]+)<\/code>/.exec(page.text)?.[1] ?? '';
const stored = (id: string) => container.applications.find(home.id, id);

async function add(fields: Record<string, string>) {
  const form = await owner.get(`${list}/new?type=${fields['type']}`);
  return owner.fill(form, fields, `${list}/new`);
}

t.test('the wizard asks for the type first, and then only for what the type needs', async (t) => {
  const types = await owner.get(`${list}/new`);
  for (const type of ['web', 'spa', 'native', 'api']) t.match(types.text, `new?type=${type}`);
  const api = await owner.get(`${list}/new?type=api`);
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
  t.match(added.text, 'openid-client');
  t.match(added.text, 'It&#39;s &lt;b&gt;');
  const [, id = ''] =
    new RegExp(`${list}/([^/"?]+)"`).exec(added.text.replace(/applications\/new/g, '')) ?? [];
  t.same((await stored(id))?.redirectUris, ['https://a.example/cb', 'https://b.example/cb']);
  t.notMatch((await owner.get(`${list}/${id}`)).text, secret);
  const refused = await add({ type: 'spa', name: 'Bad', redirectUris: 'http://far.example/' });
  t.match(refused, { status: 400, text: /must be https/ });
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
  t.match(refused, { status: 400, text: /has the scheme javascript:, which no application can have/ });
  const umlaut = await add({ type: 'web', name: 'Bad', redirectUris: 'https://müller.example/cb' });
  t.match(umlaut, { status: 400, text: /https:\/\/xn--mller-kva\.example\/cb/ });
});

t.test('settings are changed, and a refused change keeps what was typed', async (t) => {
  const { id } = await makeApplication(container, home.id);
  const one = `${list}/${id}`;
  const page = await owner.get(one);
  const rest = {
    authMethod: 'client_secret_post',
    accessTokenType: 'jwt',
    groupsClaim: 'identifiers',
    groupsClaimSelection: 'all',
    groupsClaimPrefix: 'app-',
    responseTypes: 'code',
    grantTypes: 'authorization_code',
    open: 'on',
  };
  const refused = await owner.fill(page, { ...rest, name: 'New', redirectUris: 'nothing' }, one);
  t.match(refused, { status: 400, text: />nothing<\/textarea>/ });
  const good = { ...rest, name: 'New', redirectUris: 'https://new.example/cb' };
  t.equal((await owner.fill(refused, good, one)).status, 303);
  t.match(await stored(id), {
    name: 'New',
    authMethod: 'client_secret_post',
    accessTokenType: 'jwt',
    groupsClaimPrefix: 'app-',
    orgOnly: false,
    grantTypes: ['authorization_code'],
  });
  const late = await owner.fill(page, { ...good, name: 'Later' }, one);
  t.match(late, { status: 409, text: /application\.changed/ });
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

t.test('a sign-in is tested without leaving anything that can be used', async (t) => {
  const { id } = await makeApplication(container, home.id);
  const path = `${list}/${id}/test`;
  const before = await owner.get(path);
  t.match(before.text, 'A sign-in ends only at a redirect URI');
  t.match(before.text, resultUri);
  t.equal((await owner.fill(before, {}, path)).status, 303);
  t.ok((await stored(id))?.redirectUris.includes(resultUri));
  const ready = await owner.get(path);
  const [, address = ''] = /href="([^"]*\/oauth\/v2\/authorize[^"]*)"/.exec(ready.text) ?? [];
  const result = await owner.follow(await owner.get(address.replaceAll('&amp;', '&')));
  t.match(result.url, /^\/console\/test-sign-in\?/);
  t.match(result.text, 'The sign-in works');
  const code = new URL(result.url, baseUrl).searchParams.get('code') ?? '';
  t.ok(code.length > 20);
  t.notMatch(result.text, code, 'the page does not show the code');
  const state = new URL(result.url, baseUrl).searchParams.get('state') ?? '';
  const failed = await owner.get(
    `/console/test-sign-in?error=access_denied&error_description=<b>&state=${state}`,
  );
  t.match(failed.text, 'access_denied');
  t.match(failed.text, '&lt;b&gt;');
  const strange = await owner.get('/console/test-sign-in?code=stolen&state=made-up');
  t.match(strange.text, 'this session did not begin it');
  t.notMatch(strange.text, 'stolen');
  await owner.fill(await owner.get(path), {}, path);
  t.notOk((await stored(id))?.redirectUris.includes(resultUri));
});

t.test('it is deactivated and removed', async (t) => {
  const { id } = await makeApplication(container, home.id, { name: 'Ending' });
  const one = `${list}/${id}`;
  await owner.fill(await owner.get(one), {}, `${one}/active`);
  t.equal((await stored(id))?.active, false);
  const asked = await owner.get(`${one}/remove`);
  t.match((await owner.fill(asked, { confirmed: 'x' }, `${one}/remove`)).text, 'Nothing was removed');
  t.equal((await owner.fill(asked, { confirmed: 'Ending' }, `${one}/remove`)).status, 303);
  t.equal(await stored(id), undefined);
});
