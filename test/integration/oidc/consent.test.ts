import t from 'tap';
import { addProject } from '#src/access/projects/add-project.js';
import { changeProject } from '#src/access/projects/change-project.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { texts } from '#src/login/texts/texts.js';
import { removeUser } from '#src/removal/remove-user.js';
import { makeCaller, makeOrganization, testEditor } from '../../support/app/make.js';
import { makeApplication, makePerson, postForm } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { Browser, type Seen } from '../../support/oidc/browser.js';

/** An application of one organization and the people of another one. */

const { app, container, call, clock } = await buildTestApp(t);
const theirs = await makeOrganization(container);
const ours = await makeOrganization(container);
const theirOwner = await makeCaller(container, theirs.id, ['ORG_OWNER']);
const ourOwner = await makeCaller(container, ours.id, ['ORG_OWNER']);
const instanceOwner = await makeCaller(container, theirs.id, ['IAM_OWNER']);
const redirect_uri = 'https://client.example/callback';

const makeOpen = () => makeApplication(container, theirs.id, { orgOnly: false, name: 'Their <b>Shop</b>' });
type Client = Awaited<ReturnType<typeof makeOpen>>;

async function newBrowser(organization = ours) {
  const person = await makePerson(container, organization);
  const browser = new Browser(app);
  return { browser, person, session: await browser.signIn(container, person) };
}

function authorize(browser: Browser, { id }: Client, more: Record<string, string> = {}): Promise<Seen> {
  return browser.get('/oauth/v2/authorize', {
    client_id: id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid profile offline_access',
    ...more,
  });
}

/** What the application gets at once, or the page to which the person goes. */
async function outcome(browser: Browser, client: Client, more: Record<string, string> = {}) {
  const { location } = await authorize(browser, client, more);
  return (
    location.searchParams.get('error') ?? (location.searchParams.has('code') ? 'code' : location.pathname)
  );
}

const pathOf = ({ location }: Seen) => `${location.pathname}${location.search}`;
const field = (page: Seen, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';

const hiddenOf = (page: Seen) =>
  Object.fromEntries(['csrf', 'request', 'session'].map((name) => [name, field(page, name)]));

/** Presses a button of the consent page, and follows to the end. */
async function decide(browser: Browser, asked: Seen, decision: 'allow' | 'deny'): Promise<Seen> {
  const page = await browser.get(pathOf(asked));
  const hidden = hiddenOf(page);
  const posted = await browser.post('/login/consent', { ...hidden, decision });
  return browser.get(pathOf(posted));
}

async function redeem(client: Client, { location }: Seen) {
  const form = {
    grant_type: 'authorization_code',
    code: location.searchParams.get('code') ?? '',
    redirect_uri,
  };
  return postForm(call, '/oauth/v2/token', { form, as: client.credentials });
}

const refresh = (client: Client, refresh_token: string) =>
  postForm(call, '/oauth/v2/token', {
    form: { grant_type: 'refresh_token', refresh_token },
    as: client.credentials,
  });

const userinfo = async (token: string) => (await call('GET /oidc/v1/userinfo', { as: { token } })).status;

const grants = `/admin/v1/orgs/${ours.id}/application-grants`;

t.test('an application serves its own organization alone until an owner opens it', async (t) => {
  const client = await makeApplication(container, theirs.id);
  const { browser } = await newBrowser();
  t.equal(await outcome(browser, client), '/login', 'nobody of another organization is meant');
  t.equal(await outcome(browser, client, { prompt: 'none' }), 'login_required');
  const own = await newBrowser(theirs);
  t.equal(await outcome(own.browser, client), 'code', 'its own people are not asked');

  const address = `PATCH /admin/v1/orgs/${theirs.id}/applications/${client.id}`;
  t.match(await call(address, { as: theirOwner, body: { orgOnly: false } }), {
    status: 200,
    body: { orgOnly: false, approved: false },
  });
  t.equal(await outcome(browser, client), '/login/consent');
});

t.test('a person is asked once, and may deny', async (t) => {
  const client = await makeOpen();
  const { browser, person } = await newBrowser();
  t.equal(await outcome(browser, client, { prompt: 'none' }), 'consent_required');
  const asked = await authorize(browser, client);
  const page = await browser.get(pathOf(asked));
  t.equal(page.status, 200);
  for (const part of [theirs.name, 'client.example', person.userName, 'Their &lt;b&gt;Shop&lt;/b&gt;']) {
    t.match(page.text, part);
  }
  t.notMatch(page.text, '<b>Shop');

  const denied = await decide(browser, asked, 'deny');
  t.equal(denied.location.searchParams.get('error'), 'access_denied');
  t.equal(await outcome(browser, client), '/login/consent', 'a refusal is no consent');
  const back = await browser.get(pathOf(asked));
  t.equal(
    back.location.pathname,
    '/oauth/v2/authorize/callback',
    'who goes back to the page of the refused request',
  );
  t.equal((await browser.get(pathOf(back))).location.pathname, '/login/consent', 'is asked anew');

  const allowed = await decide(browser, await authorize(browser, client), 'allow');
  t.ok(allowed.location.searchParams.get('code'));
  t.match(await redeem(client, allowed), { status: 200, body: { refresh_token: String } });
  t.equal(await outcome(browser, client, { prompt: 'none' }), 'code', 'from then on nothing is asked');
  t.equal(await outcome(browser, client, { scope: 'openid' }), 'code', 'less is covered');
  t.equal(await outcome(browser, client, { scope: 'openid email' }), '/login/consent', 'more is not');
  const other = await makeOpen();
  t.equal(await outcome(browser, other), '/login/consent', 'nor another application');
  const neighbour = await newBrowser();
  t.equal(await outcome(neighbour.browser, client), '/login/consent', 'nor another person');

  const { items } = (
    await call(`GET /admin/v1/orgs/${ours.id}/users/${person.id}/consents`, { as: ourOwner })
  ).body;
  t.match(items, [{ clientId: client.id, scopes: ['offline_access', 'openid', 'profile'] }]);
  const events = await container.events.search({ aggregateId: person.id, limit: 1, ascending: false });
  t.match(events[0], { type: 'user.consent.given', payload: { clientId: client.id } });
});

t.test('the page says whose services the application may use', async (t) => {
  const client = await makeOpen();
  const third = await makeOrganization(container);
  const editor = testEditor;
  const own = await addProject(container, { orgId: theirs.id, name: 'Desk', editor });
  const lent = await addProject(container, { orgId: third.id, name: 'Mail', editor });
  await changeProject(container, { orgId: third.id, id: lent.id, editor }, { audienceOrgIds: [theirs.id] });
  const { browser } = await newBrowser();
  const listOf = async (ids: string[]) => {
    const scope = ['openid', ...ids.map((id) => `urn:service:iam:org:project:id:${id}:aud`)].join(' ');
    const page = await browser.get(pathOf(await authorize(browser, client, { scope })));
    return [...page.text.matchAll(/<li>(.*?)<\/li>/g)].map(([, text]) => text).slice(1);
  };
  t.same(await listOf([own.id]), [`Access to services of ${theirs.name} in your name`]);
  const names = [theirs.name, third.name].sort().join(' and ');
  t.same(await listOf([lent.id, own.id]), [`Access to services of ${names} in your name`]);
  t.same(await listOf(['nobodys']), ['Access to other services in your name']);
  t.same(await listOf([]), []);
});

t.test('prompt=consent asks again, everybody', async (t) => {
  const own = await newBrowser(theirs);
  const client = await makeOpen();
  const asked = await authorize(own.browser, client, { prompt: 'consent' });
  t.equal(asked.location.pathname, '/login/consent');
  t.ok((await decide(own.browser, asked, 'allow')).location.searchParams.get('code'));
  t.equal(await outcome(own.browser, client, { prompt: 'consent' }), '/login/consent');
  t.equal(await outcome(own.browser, client, { prompt: 'none consent' }), 'invalid_request');
  t.equal(await outcome(own.browser, client), 'code');
  const { browser } = await newBrowser();
  const textOf = async (seen: Promise<Seen>) => (await browser.get(pathOf(await seen))).text;
  t.match(await textOf(authorize(browser, client)), texts.en.consentKept);
  await call(`PUT ${grants}/${client.id}`, { as: ourOwner });
  const notKept = await textOf(authorize(browser, client, { prompt: 'consent' }));
  t.match(notKept, texts.en.allow);
  t.notMatch(notKept, texts.en.consentKept, 'the account page will not list it');
  await call(`DELETE ${grants}/${client.id}`, { as: ourOwner });
  const first = await authorize(browser, client, { prompt: 'login consent' });
  t.equal(first.location.pathname, '/login');
});

t.test('a consent that is taken back ends the tokens', async (t) => {
  const client = await makeOpen();
  for (const how of ['account page', 'administrator'] as const) {
    const { browser, person, session } = await newBrowser();
    const { body } = await redeem(client, await decide(browser, await authorize(browser, client), 'allow'));
    const online = await authorize(browser, client, { scope: 'openid profile' });
    const { access_token: onlineToken } = (await redeem(client, online)).body;
    t.equal(await userinfo(body.access_token), 200);
    t.equal(await userinfo(onlineToken), 200);
    if (how === 'account page') {
      const page = await browser.get('/account');
      t.match(page.text, 'Their &lt;b&gt;Shop&lt;/b&gt;');
      const part = page.text.slice(page.text.indexOf('/account/consents/remove'));
      const form = { csrf: field({ ...page, text: part }, 'csrf'), session: session.id, clientId: client.id };
      const stranger = await newBrowser();
      t.not(
        (await stranger.browser.post('/account/consents/remove', form)).status,
        303,
        'not by another browser',
      );
      t.equal(await userinfo(onlineToken), 200);
      t.equal((await browser.post('/account/consents/remove', form)).status, 303);
      t.notMatch((await browser.get('/account')).text, 'Their &lt;b&gt;Shop');
    } else {
      const address = `DELETE /admin/v1/orgs/${ours.id}/users/${person.id}/consents/${client.id}`;
      t.equal((await call(address, { as: theirOwner })).status, 404, 'not by another owner');
      t.equal((await call(address, { as: ourOwner })).status, 204);
      t.match(await call(address, { as: ourOwner }), {
        status: 404,
        body: { id: 'directory.consentNotFound' },
      });
    }
    t.equal(await userinfo(body.access_token), 401, how);
    t.equal(await userinfo(onlineToken), 401, 'a token without a refresh family too');
    t.equal((await refresh(client, body.refresh_token)).body.error, 'invalid_grant');
    t.equal(await outcome(browser, client), '/login/consent');

    clock.advance(120);
    await decide(browser, await authorize(browser, client), 'allow');
    t.equal(await userinfo(onlineToken), 401, 'a new consent does not revive old tokens');
  }
});

t.test('the owner of an organization lets an application in for everybody', async (t) => {
  const client = await makeOpen();
  const { browser } = await newBrowser();
  t.equal(await outcome(browser, client), '/login/consent');
  for (const as of [theirOwner, await makeCaller(container, ours.id, ['ORG_USER_MANAGER'])]) {
    t.ok([403, 404].includes((await call(`PUT ${grants}/${client.id}`, { as })).status));
  }
  const granted = await call(`PUT ${grants}/${client.id}`, { as: ourOwner });
  t.match(granted, { status: 200, body: { clientId: client.id } });
  t.same(
    (await call(`PUT ${grants}/${client.id}`, { as: ourOwner })).body,
    granted.body,
    'again changes nothing',
  );
  t.same((await call(`GET ${grants}/${client.id}`, { as: ourOwner })).body, granted.body);
  t.same((await call(`GET ${grants}`, { as: ourOwner })).body.items, [granted.body]);
  t.equal(await outcome(browser, client, { prompt: 'none' }), 'code');
  const { body } = await redeem(client, await authorize(browser, client));
  t.equal(await userinfo(body.access_token), 200);

  const third = await makeOrganization(container);
  t.equal(await outcome((await newBrowser(third)).browser, client), '/login/consent', 'for nobody else');

  t.equal((await call(`DELETE ${grants}/${client.id}`, { as: ourOwner })).status, 204);
  t.match(await call(`DELETE ${grants}/${client.id}`, { as: ourOwner }), { status: 404 });
  t.equal(await userinfo(body.access_token), 401, 'tokens end with the grant');
  t.equal((await refresh(client, body.refresh_token)).body.error, 'invalid_grant');
  t.equal(await outcome(browser, client), '/login/consent');
  const events = await container.events.search({ resourceOwner: ours.id, limit: 3, ascending: false });
  t.ok(events.some(({ type }) => type === 'application.grant.removed'));
});

t.test('only open applications of others can be let in', async (t) => {
  const closed = await makeApplication(container, theirs.id);
  const own = await makeApplication(container, ours.id, { orgOnly: false });
  for (const id of [closed.id, own.id, 'unknown', 'a b', 'x'.repeat(200)]) {
    const address = `PUT ${grants}/${encodeURIComponent(id)}`;
    t.match(await call(address, { as: ourOwner }), {
      status: 404,
      body: { id: 'directory.applicationNotFound' },
    });
  }
  const client = await makeOpen();
  const both = await Promise.all([1, 2, 3].map(() => call(`PUT ${grants}/${client.id}`, { as: ourOwner })));
  t.same(new Set(both.map(({ status }) => status)), new Set([200]), 'at the same time too');
});

t.test('an instance owner approves an application for all', async (t) => {
  const client = await makeOpen();
  const approval = `/admin/v1/orgs/${theirs.id}/applications/${client.id}/approval`;
  t.equal((await call(`PUT ${approval}`, { as: theirOwner })).status, 403, 'its own organization cannot');
  t.equal((await call(`PUT ${approval}`, { as: ourOwner })).status, 404);
  const { browser } = await newBrowser();
  t.equal((await call(`PUT ${approval}`, { as: instanceOwner })).status, 204);
  t.equal((await call(`PUT ${approval}`, { as: instanceOwner })).status, 204, 'again changes nothing');
  t.equal(await outcome(browser, client, { prompt: 'none' }), 'code');
  const { body } = await redeem(client, await authorize(browser, client));

  const target = { orgId: theirs.id, id: client.id, editor: testEditor };
  await changeApplication(container, target, { orgOnly: true });
  t.equal(await userinfo(body.access_token), 401, 'closing the application ends the tokens of others');
  t.equal((await refresh(client, body.refresh_token)).body.error, 'invalid_grant');
  await changeApplication(container, target, { orgOnly: false });
  t.equal(await userinfo(body.access_token), 200);
  t.equal((await call(`DELETE ${approval}`, { as: instanceOwner })).status, 204);
  t.equal(await userinfo(body.access_token), 401);
});

t.test('a code that was issued before the consent ended gives no tokens', async (t) => {
  const client = await makeOpen();
  const { browser, person } = await newBrowser();
  const allowed = await decide(browser, await authorize(browser, client), 'allow');
  await call(`DELETE /admin/v1/orgs/${ours.id}/users/${person.id}/consents/${client.id}`, { as: ourOwner });
  t.match(await redeem(client, allowed), { status: 400, body: { error: 'invalid_grant' } });
});

t.test('forms that are not the page of this person give nothing', async (t) => {
  const client = await makeOpen();
  const [one, two] = [await newBrowser(), await newBrowser()];
  const asked = await authorize(one.browser, client);
  const page = await one.browser.get(pathOf(asked));
  const hidden = hiddenOf(page);
  t.not((await two.browser.get(pathOf(asked))).status, 200, 'another browser sees no page');
  for (const wrong of [
    { ...hidden, csrf: '' },
    { ...hidden, session: two.session.id },
    { ...hidden, request: 'x' },
    {},
  ]) {
    const { status } = await one.browser.post('/login/consent', { ...wrong, decision: 'allow' });
    t.ok(status === 403 || status === 400, JSON.stringify(wrong).slice(0, 40));
  }
  t.equal((await two.browser.post('/login/consent', { ...hidden, decision: 'allow' })).status, 403);
  t.equal(await outcome(one.browser, client), '/login/consent');
  await one.browser.signIn(container, two.person);
  await container.sessions.end(one.person.id, one.session.id);
  const late = await one.browser.post('/login/consent', { ...hidden, decision: 'allow' });
  t.match(late.location.pathname, '/oauth/v2/authorize/callback', 'the session has ended');
  t.equal(
    (await one.browser.get(pathOf(late))).location.pathname,
    '/login/select',
    'no other session answers',
  );
});

t.test('a removed person leaves no consent', async (t) => {
  const client = await makeOpen();
  const { browser, person } = await newBrowser();
  await decide(browser, await authorize(browser, client), 'allow');
  await removeUser(container, { orgId: ours.id, id: person.id, editor: testEditor });
  t.same(await container.consents.ofUser(ours.id, { userId: person.id, limit: 10 }), []);
});

t.test('a removed application leaves no consent and no grant', async (t) => {
  const [client, other] = [await makeOpen(), await makeOpen()];
  const { browser, person } = await newBrowser();
  for (const one of [client, other]) {
    await decide(browser, await authorize(browser, one), 'allow');
    await call(`PUT ${grants}/${one.id}`, { as: ourOwner });
  }
  const address = `DELETE /admin/v1/orgs/${theirs.id}/applications/${client.id}`;
  t.equal((await call(address, { as: theirOwner })).status, 204);
  const left = await container.consents.ofUser(ours.id, { userId: person.id, limit: 10 });
  t.same(
    left.map(({ clientId }) => clientId),
    [other.id],
  );
  const { items } = (await call(`GET ${grants}`, { as: ourOwner })).body;
  const granted = items.map(({ clientId }: { clientId: string }) => clientId);
  t.notOk(granted.includes(client.id));
  t.ok(granted.includes(other.id));
});

t.test('a consent that is taken back before the response counts no more', async (t) => {
  const client = await makeApplication(container, theirs.id, {
    type: 'spa',
    orgOnly: false,
    responseTypes: ['code', 'id_token token'],
  });
  const { browser, person } = await newBrowser();
  const asked = await authorize(browser, client, { response_type: 'id_token token', nonce: 'n' });
  const page = await browser.get(pathOf(asked));
  const hidden = hiddenOf(page);
  const posted = await browser.post('/login/consent', { ...hidden, decision: 'allow' });
  const address = `DELETE /admin/v1/orgs/${ours.id}/users/${person.id}/consents/${client.id}`;
  t.equal((await call(address, { as: ourOwner })).status, 204);
  t.equal(
    (await browser.get(pathOf(posted))).location.pathname,
    '/login/consent',
    'the person is asked again',
  );
});

t.test('a token that lives by a consent asks the store only once', async (t) => {
  const client = await makeOpen();
  const { browser } = await newBrowser();
  const { body } = await redeem(client, await decide(browser, await authorize(browser, client), 'allow'));
  let reads = 0;
  for (const store of [container.applicationGrants, container.consents]) {
    const { findByKey } = store;
    store.findByKey = ((key: string) => {
      reads++;
      return findByKey(key);
    }) as typeof findByKey & typeof store.findByKey;
    t.teardown(() => {
      store.findByKey = findByKey as typeof store.findByKey;
    });
  }
  for (let count = 0; count < 4; count++) t.equal(await userinfo(body.access_token), 200);
  t.ok(reads <= 2, `${reads} reads`);
});

t.test('an invalid request to the application of a stranger shows a page first', async (t) => {
  const client = await makeOpen();
  const { browser } = await newBrowser();
  for (const wrong of [
    { scope: 'profile' },
    { response_type: 'x' },
    { prompt: 'none login' },
    { request: 'x' },
  ]) {
    const seen = await authorize(browser, client, wrong);
    t.equal(seen.status, 400, JSON.stringify(wrong));
    t.match(seen.text, 'client.example');
    t.match(seen.text, /href="https:\/\/client\.example\/callback\?error=/);
    t.notMatch(seen.text, '<b>Shop');
    t.equal(seen.headers['location'], undefined);
  }
  const posted = await authorize(browser, client, { scope: 'profile', response_mode: 'form_post' });
  t.equal(posted.status, 400);
  t.match(posted.text, /<form method="post" action="https:\/\/client\.example\/callback">/);
  t.notMatch(posted.text, '<script');

  const own = await newBrowser(theirs);
  t.equal(
    (await authorize(own.browser, client, { scope: 'profile' })).status,
    303,
    'its own people go on at once',
  );
  t.equal(
    (await authorize(new Browser(app), client, { scope: 'profile' })).status,
    303,
    'a visitor may be its own',
  );
  await call(`PUT ${grants}/${client.id}`, { as: ourOwner });
  t.equal(
    (await authorize(browser, client, { scope: 'profile' })).status,
    303,
    'their organization trusts it',
  );
});
