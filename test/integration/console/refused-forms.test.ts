import t from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { rulesOfValues } from '#src/directory/index.js';
import { languages } from '#src/http/base/language.js';
import { html } from '#src/http/pages/html.js';
import { textOfValue } from '#src/http/refusals/refusal-in-words.js';
import { textOfError } from '#src/http/refusals/text-of-error.js';
import { refusalTexts } from '#src/http/refusals/texts/texts.js';
import { errorCatalogue } from '#src/platform/errors.js';
import { openConsole } from '../../support/app/console.js';
import { testEditor } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import type { Seen } from '../../support/oidc/visitor.js';
import { keysOf } from '../../support/stores/redis-keys.js';

/** A form of the console that was refused leads to its page, which can be loaded again. Nobody else sees that page. */

const opened = await buildTestApp(t, { loginFailureMilliseconds: 0 });
const { container } = opened;
const home = await makeHome(container, { name: 'Acme' });
const owner = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const admin = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const colleague = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
const groups = `/console/orgs/${home.id}/groups`;
const taken = { name: 'Engineers' };
await owner.fill(await owner.get(`${groups}/new`), taken, `${groups}/new`);

/** Sends the form for a group whose name is taken. */
const refuse = async () => owner.fill(await owner.get(`${groups}/new`), taken, `${groups}/new`);

t.test('the page says what is wrong and has what was typed, as often as it is loaded', async (t) => {
  const seen = await refuse();
  t.match(seen.url, /\/groups\/new\?refused=[\w-]{43}$/);
  for (const page of [seen, await owner.get(seen.url), await owner.get(seen.url)]) {
    t.equal(page.status, 409);
    t.match(page.text, 'role="alert"');
    t.match(page.text, 'value="Engineers"');
    t.match(page.headers, { 'cache-control': 'no-store', 'content-security-policy': /default-src 'none'/ });
  }
  const added = await owner.fill(seen, { name: 'Designers' }, `${groups}/new`);
  t.match(added, { status: 303, location: RegExp(`^${groups}/`) }, 'its form can be sent again');
});

t.test('nobody else sees it, and it is seen at its own address alone', async (t) => {
  const { url } = await refuse();
  const secret = url.split('refused=')[1] ?? '';
  t.match(await colleague.get(url), { status: 200 });
  for (const path of [groups, `/console/orgs/${home.id}/users/new`, '/console'])
    t.equal((await owner.get(`${path}?refused=${secret}`)).status, 200, path);
  for (const wrong of ['x', secret.slice(1), `${secret}x`, `${secret}&refused=${secret}`, 'a'.repeat(4_000)])
    t.equal((await owner.get(`${groups}/new?refused=${wrong}`)).status, 200, wrong.slice(0, 50));
  const stranger = await openConsole(opened, await makeHome(container), { roles: ['ORG_OWNER'] });
  t.equal((await stranger.get(url)).status, 403);
  t.equal((await owner.get(url)).status, 409, 'it is still there');
});

t.test('one page of each person is kept, sealed, for 15 minutes', async (t) => {
  const first = await refuse();
  const second = await refuse();
  t.equal((await owner.get(first.url)).status, 200, 'the former one is gone');
  t.equal((await owner.get(second.url)).status, 409);
  const [key = '', ...others] = await keysOf(
    container.redis,
    `${container.config.redisPrefix}:console-refused:*`,
  );
  t.strictSame(others, []);
  t.notMatch(key, owner.person.id);
  t.notMatch(await container.redis.get(key), 'Engineers');
  const seconds = await container.redis.ttl(key);
  t.ok(seconds > 800 && seconds <= 900, `${seconds}`);
});

t.test('who has signed out sees it no more', async (t) => {
  const { url } = await refuse();
  await container.sessions.endAllOf(owner.person.id);
  t.match(await owner.get(url), { status: 303, location: /^\/oauth\/v2\/authorize\?/ });
});

t.test('a page is shown after another sign-in in its browser, and not after a change of roles', async (t) => {
  const person = await openConsole(opened, home, { roles: ['ORG_OWNER'] });
  const seen = await person.fill(await person.get(`${groups}/new`), taken, `${groups}/new`);
  t.equal(seen.status, 409);
  await addMembership(container, {
    ...{ userId: person.person.id, orgId: home.id, role: 'ORG_USER_VIEWER' as const },
    editor: testEditor,
  });
  t.equal((await person.get(seen.url)).status, 200, 'the empty form of the present roles');
  const again = await person.fill(await person.get(`${groups}/new`), taken, `${groups}/new`);
  t.equal(again.status, 409);
  await container.sessions.endAllOf(person.person.id);
  await person.signIn(await person.get('/console'));
  const later = await person.get(again.url);
  t.equal(later.status, 409, 'the form tokens of the browser stay valid');
  t.equal((await person.fill(later, { name: 'After' }, `${groups}/new`)).status, 303);
});

/** The message at a control, and whether a screen reader reads it there. */
function messageAt({ text }: Seen, id: string): string | undefined {
  const [, message] = new RegExp(`<p class="error" id="${id}-error">(.*?)</p>`).exec(text) ?? [];
  const [control = ''] = new RegExp(`<(?:input|textarea|select) [^>]*\\bid="${id}"[^>]*>`).exec(text) ?? [];
  const isRead =
    control.includes(' aria-invalid="true"') &&
    new RegExp(`aria-describedby="[^"]*\\b${id}-error"`).test(control);
  return isRead && text.includes(`<a href="#${id}">`) ? message : undefined;
}

t.test('every error stands at its field, in the language of the person, all at once', async (t) => {
  const german = await openConsole(opened, home, { roles: ['ORG_OWNER'], language: 'de' });
  const settings = `/console/orgs/${home.id}/settings`;
  const action = `${settings}/change/branding`;
  const typed = { brandColor: 'red', logoUrl: 'http://pictures.example/1.png', faviconUrl: '' };
  const seen = await german.fill(await german.get(settings), typed, action);
  t.match(seen, { status: 400, url: /\/settings\?refused=/ });
  t.match(messageAt(seen, 'f-brandColor'), /^Geben Sie # und sechs Ziffern/);
  t.match(messageAt(seen, 'f-logoUrl'), /^Geben Sie eine Adresse mit https:\/\//);
  t.equal(messageAt(seen, 'f-faviconUrl'), undefined);
  t.match(seen.text, /role="alert"><p>Es wurde nichts gespeichert\. Bitte korrigieren Sie:<\/p><ul>/);
  t.match(seen.text, 'value="red"');
  t.match(seen.text, 'value="http://pictures.example/1.png"');
  t.notMatch(seen.text, /must match|<p lang="en"|<code>http\./);
});

t.test('SCIM tells every attribute of a user, and a list its line', async (t) => {
  const french = await openConsole(opened, home, { roles: ['ORG_OWNER'], language: 'fr' });
  const path = `/console/orgs/${home.id}/users/new`;
  const fields = {
    ...{ userName: 'x y\u200b', givenName: 'A\u200b', emails: 'a@a.example\r\n\r\nno address' },
    ...{ preferredLanguage: '??', credential: 'password', password: 'weak' },
  };
  const seen = await french.fill(await french.get(path), fields, path);
  t.equal(seen.status, 400);
  t.match(messageAt(seen, 'f-userName'), 'caractères invisibles');
  t.match(messageAt(seen, 'f-emails'), 'Écrivez une adresse e-mail');
  t.match(messageAt(seen, 'f-preferredLanguage'), 'langue');
  t.notMatch(seen.text, 'value="weak"', 'a password does not come back');
  t.match(seen.text, 'no address');
  const weak = await french.fill(
    await french.get(path),
    { userName: 'weak', credential: 'password', password: 'weak' },
    path,
  );
  t.match(messageAt(weak, 'f-password'), /Écrivez au moins 8 caractères\.<br>Ajoutez une majuscule\./);
});

t.test('a message opens what hides its field, and names the line and the choices', async (t) => {
  const { application } = await addApplication(container, {
    ...{ orgId: home.id, editor: testEditor },
    settings: { name: 'Shop', type: 'web', redirectUris: ['https://shop.example/cb'] },
  });
  const path = `/console/orgs/${home.id}/applications/${application.id}`;
  const page = await admin.get(path);
  const fields = {
    ...{ name: 'Shop', redirectUris: 'https://shop.example/cb\r\n\r\nhttp://shop.example/\r\n' },
    ...{ postLogoutRedirectUris: '', authMethod: 'client_secret_basic' },
  };
  const seen = await admin.fill(page, fields, path);
  t.match(messageAt(seen, 'f-redirectUris'), /^Line 3: Write an address with https/);
  t.match(seen.text, 'https://shop.example/cb\r\n\r\nhttp://shop.example/');
  const hidden = await admin.fill(page, { ...fields, redirectUris: '', authMethod: 'none of these' }, path);
  t.match(messageAt(hidden, 'f-authMethod'), /^Choose one of these: client_secret_basic, /);
  const opened = (text: string) => text.split('<details open>').length;
  t.equal(opened(hidden.text), opened(page.text) + 1);
});

t.test('fields whose names differ from those of the API have their errors', async (t) => {
  const orgPath = `/console/orgs/${home.id}`;
  const long = 'x'.repeat(600);
  const cases: readonly (readonly [
    page: string,
    action: string,
    fields: Record<string, string>,
    id: string,
  ])[] = [
    [`${orgPath}/groups/new`, `${orgPath}/groups/new`, taken, 'f-name'],
    [
      `${orgPath}/settings/domains`,
      `${orgPath}/settings/domains`,
      { domainName: 'no domain' },
      'f-domainName',
    ],
    [
      `${orgPath}/settings/members`,
      `${orgPath}/settings/members`,
      { userName: 'nobody', role: 'ORG_USER_VIEWER' },
      'f-userName',
    ],
    [`${orgPath}/settings/grants`, `${orgPath}/settings/grants`, { clientId: 'none' }, 'f-clientId'],
    [
      `${orgPath}/settings/schemas/edit`,
      `${orgPath}/settings/schemas/edit`,
      { name: 'S', id: 'x', attribute: 'a b', type: 'string' },
      'f-attribute',
    ],
    [
      `${orgPath}/settings/migration`,
      `${orgPath}/settings/migration/pepper`,
      { pepper: long.repeat(20) },
      'f-pepper',
    ],
    [
      `${orgPath}/settings/migration`,
      `${orgPath}/settings/migration`,
      { url: 'http://x', timeoutMilliseconds: 'a' },
      'f-timeoutMilliseconds',
    ],
    [`${orgPath}/projects/new`, `${orgPath}/projects/new`, { name: long }, 'f-name'],
    [
      `${orgPath}/service-users/new`,
      `${orgPath}/service-users/new`,
      { name: '', userName: '', role: '' },
      'f-userName',
    ],
    [
      `${orgPath}/provisioning/connect`,
      `${orgPath}/provisioning/connect`,
      { userName: 'x y\u200b' },
      'f-userName',
    ],
  ];
  for (const [page, action, fields, id] of cases) {
    const seen = await admin.fill(await admin.get(page), fields, action);
    t.ok(messageAt(seen, id), `${action} ${seen.status} ${/role="alert">(.*)/.exec(seen.text)?.[1]}`);
    if (id === 'f-pepper') t.notMatch(seen.text, long, 'a secret does not come back');
  }
});

t.test('a wrong name is a message like any other, and stays typed', async (t) => {
  const path = `/console/orgs/${home.id}/settings/domains`;
  await admin.fill(await admin.get(path), { domainName: 'gone.example' }, path);
  const removal = `${path}/gone.example/remove`;
  const seen = await admin.fill(await admin.get(removal), { confirmed: 'other.example' }, removal);
  t.match(seen, { status: 400, url: /refused=/ });
  t.match(messageAt(seen, 'f-confirmed'), 'This is not the name');
  t.match(seen.text, 'value="other.example"');
});

t.test('the private part of a key comes back on no page', async (t) => {
  const { application } = await addApplication(container, {
    ...{ orgId: home.id, editor: testEditor },
    settings: { name: 'Keys', type: 'api', authMethod: 'private_key_jwt' },
  });
  const path = `/console/orgs/${home.id}/applications/${application.id}`;
  const send = async (jwkJson: string) => admin.fill(await admin.get(path), { jwkJson }, `${path}/keys`);
  const secret = await send('{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"top-secret"}');
  t.match(messageAt(secret, 'f-jwkJson'), 'private or symmetric');
  t.notMatch(secret.text, 'top-secret');
  const nested = await send('{"keys":[{"kty":"EC","\\u0064":"top-secret"}]}');
  t.notMatch(nested.text, 'top-secret', 'nor one in a set of keys');
  const broken = await send('{"d":"top-secret"');
  t.match(messageAt(broken, 'f-jwkJson'), 'no JSON object');
  t.notMatch(broken.text, 'top-secret', 'nor a text that may hold it');
  t.match((await send('{"kty":"EC"}')).text, '{&quot;kty&quot;:&quot;EC&quot;}</textarea>');
});

/** Errors that no form of the console meets: of other doors, of protocols, of reading pages, or of calls that the console never makes. */
const unmet =
  /^(?:bulk|login|oidc|oauth)\.|^connections\.(?!connectionInUse|connectionLimit|connectionNotFound|identityNotFound|issuerFixed|lastWayIn|noLastSignIn|providerUnusable|setupDomainRemoved|setupLinkLimit|setupLinkNotFound|testNotFound)|^scim\.(?!badValue|missingValue|readOnly|requiredRemoved|tooManyLists|tooManySearches|versionChanged|wrongType)|^http\.(?!bodyMalformed|bodyTooLarge|bodyTooSlow|internal|overloaded|rateLimited|storeUnavailable)|^tokens\.(?!permissionMissing|signInTooOld)|^console\.signInFailed$|^export\.(?:cancelled|failed|rangeInvalid|resultMissing)$|^import\.abandoned$|^directory\.(?:attemptsFull|eventsTooLarge|lastDemandedFactor|metadataNotFound|passkeyTaken|tooManyPasskeys|relyingPartyDiffers)$/;

t.test('every error that a form can meet, and every rule for values, has a text', async (t) => {
  t.ok(errorCatalogue.length > 100, 'all rooms are loaded');
  for (const { id } of errorCatalogue) {
    t.equal(textOfError(id) === undefined, unmet.test(id), id);
  }
  const rules = Object.keys(rulesOfValues).filter((rule) => rule !== 'type');
  for (const language of languages)
    for (const rule of rules)
      if (
        String(textOfValue(language, { path: [], id: `value.${rule}`, params: {} })) !==
        String(html`${refusalTexts[language][rule as 'required']}`)
      )
        t.fail(`${language} ${rule}`);
});
