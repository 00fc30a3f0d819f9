import { X509Certificate } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import { SignedXml } from 'xml-crypto';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { isSignedIn, leaveFor, newVisitor } from '../../support/oidc/connected.js';
import { formsOf } from '../../support/oidc/visitor.js';
import {
  addSamlConnection,
  bringBack,
  createHostileSamlProvider,
  makeSamlConnected,
  refusedLogin,
  type SamlLies,
  signInBySaml,
} from '../../support/saml/hostile-saml-provider.js';
import { makeSamlKey, type Said } from '../../support/saml/saml-documents.js';

const service = await buildTestApp(t, {});
const { container, call, clock } = service;
const provider = createHostileSamlProvider(() => clock.now());
const another = createHostileSamlProvider(() => clock.now());
t.beforeEach(() => {
  provider.lies = {};
});

type Connected = Awaited<ReturnType<typeof makeSamlConnected>>;

const signIn = (connected: Connected, person: Partial<Said>, visitor = newVisitor(service)) =>
  signInBySaml(service, visitor, connected, { provider, person });

/** Signs in with a lie. Returns the reason that the owner sees, or undefined if the person is signed in. */
async function reasonOf(connected: Connected, lies: SamlLies, person: Partial<Said> = {}) {
  provider.lies = lies;
  clock.advance(11);
  const seen = await signIn(connected, { nameId: 'anna', ...person });
  provider.lies = {};
  if (isSignedIn(seen)) return undefined;
  refusedLogin(seen);
  const { body } = await call(`GET ${connected.path}/health`, { as: connected.owner });
  return body.refusals[0].reason;
}

const holder = async ({ orgId, connectionId }: Connected, subject: string) => {
  const page = await container.identityLinks.pageOfAll(orgId, { limit: 100 });
  const list = page.find(({ items }) =>
    Object.values(items).some((link) => link.connectionId === connectionId && link.subject === subject),
  );
  return list && container.accounts.find(orgId, list.userId);
};

t.test(
  'a person signs in at the provider of the organization, and is the same one the next time',
  async (t) => {
    const claims = { givenName: 'given', familyName: 'urn:oid:2.5.4.4', email: 'mail', displayName: '' };
    const acme = await makeSamlConnected(service, provider, { claims });
    const person = {
      nameId: 'anna-7f3a',
      attributes: { given: 'Anna', 'urn:oid:2.5.4.4': 'Lind', mail: 'anna@acme.example' },
    };
    const visitor = newVisitor(service);
    const address = await leaveFor(visitor, acme);
    t.ok(address.startsWith(`${provider.entityId}/redirect?SAMLRequest=`), address);
    const asked = provider.read(address);
    const base = `${container.config.baseUrl}/login/connections/${acme.orgId}/${acme.connectionId}/saml`;
    t.match(asked, { acsUrl: `${base}/acs`, issuer: `${base}/metadata`, relayState: /^[\w-]{43}$/ });
    t.match(asked.xml, 'nameid-format:persistent');
    t.notMatch(asked.xml, 'ForceAuthn');
    const seen = await bringBack(service, visitor, await provider.answer(address, person));
    t.ok(isSignedIn(seen), `${seen.status} ${seen.location} ${seen.text}`);
    t.match((await visitor.follow(seen)).text, 'Anna Lind');
    const account = await holder(acme, 'anna-7f3a');
    t.match(account, { user: { name: { givenName: 'Anna', familyName: 'Lind' }, active: true } });
    t.equal(account?.user.emails[0]?.verified, false, 'no domain of the connection, so nobody proved it');
    t.ok(isSignedIn(await signIn(acme, person)));
    t.equal(await container.users.count(acme.orgId), 1);
    await container.secretUses.flush();
    t.match((await call(`GET ${acme.path}/health`, { as: acme.owner })).body, {
      lastSignIn: String,
      refusals: [],
    });
  },
);

t.test('a. an identity belongs to one connection of one organization', async (t) => {
  const [acme, other] = [
    await makeSamlConnected(service, provider),
    await makeSamlConnected(service, provider),
  ];
  const second = await addSamlConnection(service, acme, provider, { name: 'Second' });
  const people = [];
  for (const connected of [acme, other, second]) {
    t.ok(isSignedIn(await signIn(connected, { nameId: 'shared' })));
    people.push((await holder(connected, 'shared'))?.user.id);
  }
  t.equal(new Set(people).size, 3, 'three people');
});

t.test('b. an answer counts for the connection and the browser that left, once', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const second = await addSamlConnection(service, acme, another, { name: 'Second' });
  const other = await makeSamlConnected(service, provider);
  const visitor = newVisitor(service);
  const answer = await provider.answer(await leaveFor(visitor, acme), { nameId: 'mixed' });
  for (const { orgId, connectionId } of [second, other]) {
    const path = `/login/connections/${orgId}/${connectionId}/saml/acs`;
    t.equal((await bringBack(service, visitor, { ...answer, path })).status, 400, 'another connection');
  }
  const attacker = newVisitor(service);
  await attacker.get('/login');
  t.equal((await bringBack(service, attacker, answer)).status, 400, 'another browser with a cookie');
  t.equal((await bringBack(service, newVisitor(service), answer)).status, 400, 'a browser without one');
  const forged = { ...answer.fields, RelayState: 'forged' };
  t.equal((await bringBack(service, visitor, { ...answer, fields: forged })).status, 400);
  const withoutState = { SAMLResponse: answer.fields['SAMLResponse'] ?? '' };
  t.equal((await bringBack(service, visitor, { ...answer, fields: withoutState })).status, 400);
  t.ok(isSignedIn(await bringBack(service, visitor, answer)), 'none of them ended the sign-in');
  t.equal((await bringBack(service, visitor, answer)).status, 400, 'an answer works once');
});

t.test('the form of another site is taken again from here, and only then with the cookie', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const visitor = newVisitor(service);
  const { path, fields } = await provider.answer(await leaveFor(visitor, acme), { nameId: 'anna' });
  const post = (headers: Record<string, string>, more: Record<string, string> = {}) =>
    service.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...headers,
      },
      payload: new URLSearchParams({ ...fields, ...more }).toString(),
    });
  const first = await post({ origin: 'https://idp.example' });
  t.equal(first.statusCode, 200);
  t.match(first.payload, `action="${container.config.baseUrl}${path}"`);
  t.match(first.headers['content-security-policy'], /script-src 'sha256-/);
  t.equal((await post({ origin: 'https://idp.example' }, { again: '1' })).statusCode, 400, 'another site');
  t.equal((await post({}, { again: '1' })).statusCode, 400, 'nobody says where it comes from');
  const { origin } = new URL(container.config.baseUrl);
  t.equal((await post({ origin }, { again: '1' })).statusCode, 303);
});

t.test('every lie of a provider is refused, and the owner sees why', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const lies: [lie: SamlLies, reason: string | undefined][] = [
    [{ signs: [] }, 'signatureInvalid'],
    [{ signs: ['Response'] }, 'signatureInvalid'],
    [{ key: another.key }, 'signatureInvalid'],
    [{ response: (own) => own.replace('>anna<', '>boss<') }, 'signatureInvalid'],
    [{ response: (own) => `<!DOCTYPE x>${own}` }, 'answerInvalid'],
    [{ response: () => 'x'.repeat(262_145) }, 'answerInvalid'],
    [{ response: () => '' }, 'answerInvalid'],
    [{ said: { issuer: another.entityId } }, 'answerInvalid'],
    [{ said: { audience: 'https://other.example' } }, 'assertionInvalid'],
    [{ said: { requestId: '_another' } }, 'answerInvalid'],
    [{ said: { requestId: undefined } }, 'answerInvalid'],
    [{ said: { conditionsEnd: new Date(0) } }, 'assertionInvalid'],
    [{ said: { nameId: 'x'.repeat(256) } }, 'assertionInvalid'],
    [{ said: { nameId: 'line&#10;break' } }, 'assertionInvalid'],
    [{ said: { nameId: '' } }, 'assertionInvalid'],
    [{ said: { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' } }, 'assertionInvalid'],
    [{ said: { format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress' } }, 'assertionInvalid'],
    [{ status: ['Responder', 'AuthnFailed'] }, 'cancelled'],
    [{ status: ['Responder', ''] }, 'refusedByProvider'],
    [{ encryptsWith: another.key }, 'undecryptable'],
  ];
  for (const [lie, reason] of lies)
    t.equal(await reasonOf(acme, lie), reason, JSON.stringify(lie).slice(0, 90));
  t.equal(await container.users.count(acme.orgId), 0);
  t.equal(await reasonOf(acme, { signs: ['Assertion', 'Response'] }), undefined);
  t.equal(await container.users.count(acme.orgId), 1);
});

t.test('an assertion counts once, over all processes', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  t.equal(await reasonOf(acme, { said: { id: '_the-same' } }), undefined);
  t.equal(await reasonOf(acme, { said: { id: '_the-same' } }), 'assertionUsed');
  const { usedAssertions } = await service.openAnother();
  const [orgId, id] = [acme.orgId, acme.connectionId];
  t.notOk(await usedAssertions.use({ orgId, id }, '_the-same'), 'the other process knows it');
  const both = await Promise.all(
    [usedAssertions, container.usedAssertions].map((store) => store.use({ orgId, id }, '_at-once')),
  );
  t.strictSame(both.toSorted(), [false, true]);
  t.ok(await usedAssertions.use({ orgId, id: 'another connection' }, '_the-same'));
});

t.test('what is signed is as the connection says', async (t) => {
  const whole = await makeSamlConnected(service, provider, { provider: { signedPart: 'response' } });
  t.equal(await reasonOf(whole, { signs: ['Response'] }), undefined);
  t.equal(await reasonOf(whole, { signs: ['Assertion'] }), 'signatureInvalid');
  const { body } = await call(`GET ${whole.path}`, { as: whole.owner });
  const certificate = body.service.certificate as string;
  const ours = new X509Certificate(certificate);
  const publicKey = ours.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const encryptsWith = { ...makeSamlKey(), certificate, publicKey };
  t.equal(await reasonOf(whole, { signs: ['Response'], encryptsWith }), undefined, 'encrypted for us');
  t.equal(await reasonOf(whole, { signs: ['Assertion'], encryptsWith }), 'signatureInvalid');
});

t.test('the subject is an attribute that never changes, if the connection says so', async (t) => {
  const acme = await makeSamlConnected(service, provider, {
    provider: { nameIdFormat: 'emailAddress', subjectAttribute: 'oid' },
  });
  const person = {
    nameId: 'anna@acme.example',
    format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  };
  t.equal(await reasonOf(acme, {}, { ...person, attributes: { oid: '7f3a' } }), undefined);
  t.ok(await holder(acme, '7f3a'));
  t.equal(await reasonOf(acme, {}, person), 'assertionInvalid', 'it is missing');
  t.equal(await reasonOf(acme, {}, { ...person, attributes: { oid: ['a', 'b'] } }), 'assertionInvalid');
});

t.test(
  'white space that is none of XML belongs to the subject, and no subject has it at its ends',
  async (t) => {
    const acme = await makeSamlConnected(service, provider);
    t.equal(
      await reasonOf(acme, {}, { nameId: '\n\t alice \n' }),
      undefined,
      'how a provider breaks its lines',
    );
    t.ok(await holder(acme, 'alice'));
    for (const nameId of ['alice\u00a0', '\u2003alice', 'alice\ufeff'])
      t.equal(await reasonOf(acme, {}, { nameId }), 'assertionInvalid', JSON.stringify(nameId));
    const byAttribute = await makeSamlConnected(service, provider, { provider: { subjectAttribute: 'oid' } });
    t.equal(await reasonOf(byAttribute, {}, { attributes: { oid: 'alice\u00a0' } }), 'assertionInvalid');
  },
);

t.test('the longest age of a sign-in is demanded of the provider, which knows no such wish', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const { id: clientId } = await makeApplication(container, acme.orgId, {});
  const request = `/oauth/v2/authorize?${new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
    ...{ state: 's', max_age: '300' },
  })}`;
  const visitor = newVisitor(service);
  const address = await leaveFor(visitor, acme, await visitor.follow(await visitor.get(request)));
  t.match(provider.read(address).xml, 'ForceAuthn="true"');
});

t.test('a fresh sign-in is demanded of the provider, and must be shown', async (t) => {
  const acme = await makeSamlConnected(service, provider);
  const { id: clientId } = await makeApplication(container, acme.orgId, {});
  const request = `/oauth/v2/authorize?${new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
    ...{ state: 's', prompt: 'login' },
  })}`;
  const visitor = newVisitor(service);
  const again = await visitor.follow(await visitor.get(request));
  const address = await leaveFor(visitor, acme, again);
  t.match(provider.read(address).xml, 'ForceAuthn="true"');
  const old = { nameId: 'anna', authnInstant: new Date(clock.now().getTime() - 3_600_000) };
  const refused = refusedLogin(await bringBack(service, visitor, await provider.answer(address, old)));
  const left = await leaveFor(visitor, acme, refused);
  const fresh = { nameId: 'anna', authnInstant: new Date(clock.now().getTime() - 30_000) };
  const done = await visitor.follow(await bringBack(service, visitor, await provider.answer(left, fresh)));
  t.match(done.location, /^https:\/\/client\.example\/callback\?code=/);
});

t.test('a request goes by a form, and signed, if the connection says so', async (t) => {
  const endpoint = { address: `${provider.entityId}/post`, binding: 'post' };
  const acme = await makeSamlConnected(service, provider, {
    provider: { signIn: endpoint, signsRequests: true },
  });
  const visitor = newVisitor(service);
  const shown = await visitor.get(`/login?organization=${acme.orgId}`);
  const page = await visitor.fill(shown, {}, `/login/connections/${acme.orgId}/${acme.connectionId}`);
  t.equal(page.status, 200);
  const [form] = formsOf(page.text);
  t.equal(form?.action, endpoint.address);
  const asked = provider.read(form?.hidden ?? {});
  t.match(asked.xml, '<SignatureValue>');
  const { body } = await call(`GET ${acme.path}`, { as: acme.owner });
  const signed = new SignedXml({ publicCert: body.service.certificate });
  const [signature = ''] = /<Signature .*<\/Signature>/s.exec(asked.xml) ?? [];
  signed.loadSignature(signature);
  t.ok(signed.checkSignature(asked.xml));
  t.match(asked.xml, 'rsa-sha256');
  const answer = await provider.answer(form?.hidden ?? {}, { nameId: 'anna' });
  t.ok(isSignedIn(await bringBack(service, visitor, answer)));
});

t.test('a sign-in that begins at the provider leads to a new request, and into no loop', async (t) => {
  const acme = await makeSamlConnected(service, provider, { provider: { startsAtProvider: true } });
  const closed = await makeSamlConnected(service, provider);
  const unasked = async ({ orgId, connectionId }: Connected, visitor = newVisitor(service)) => {
    const base = `${container.config.baseUrl}/login/connections/${orgId}/${connectionId}/saml`;
    const made = new URLSearchParams({
      RelayState: 'https://portal.example/app',
      SAMLRequest: request(base),
    });
    const answer = await provider.answer(`https://x.example/?${made}`, {
      nameId: 'mallory',
      requestId: undefined,
    });
    return bringBack(service, visitor, answer);
  };
  t.equal((await unasked(closed)).status, 400, 'only if the administrator says so');
  const visitor = newVisitor(service);
  t.equal((await unasked(acme, visitor)).location, `/login?organization=${acme.orgId}`, 'the person decides');
  const first = await provider.answer(await leaveFor(visitor, acme), { nameId: 'anna' });
  t.ok(isSignedIn(await bringBack(service, visitor, first)));
  const seen = await unasked(acme, visitor);
  t.match(seen.location, `${provider.entityId}/redirect?SAMLRequest=`, 'a fresh request');
  t.equal(
    (await unasked(acme, visitor)).status,
    400,
    'a provider that answers no request leads into no loop',
  );
  t.equal(await container.users.count(acme.orgId), 1, 'what came without a request is not read');
  const answer = await provider.answer(seen.location ?? '', { nameId: 'anna' });
  t.ok(isSignedIn(await bringBack(service, visitor, answer)));
});

/** A request as this service makes them, for answers that nobody asked for. */
function request(base: string): string {
  const xml = `<r ID="_x" AssertionConsumerServiceURL="${base}/acs"><Issuer>${base}/metadata</Issuer></r>`;
  return deflateRawSync(xml).toString('base64');
}

t.test('the metadata of this service says what the provider must know', async (t) => {
  const acme = await makeSamlConnected(service, provider, { provider: { signsRequests: true } });
  const { body } = await call(`GET ${acme.path}`, { as: acme.owner });
  const answer = await newVisitor(service).get(body.service.entityId);
  t.equal(answer.status, 200);
  t.match(answer.headers['content-type'], 'application/samlmetadata+xml');
  t.match(answer.text, `entityID="${body.service.entityId}"`);
  t.match(answer.text, `Location="${body.service.acsUrl}"`);
  t.match(answer.text, 'WantAssertionsSigned="true"');
  t.match(answer.text, 'AuthnRequestsSigned="true"');
  const certificate = body.service.certificate.replace(/-----[^-]+-----|\s/g, '');
  t.equal(answer.text.replace(/\s/g, '').split(certificate).length, 3, 'to verify, and to encrypt');
  t.notMatch(answer.text, 'PRIVATE');
  const nowhere = await newVisitor(service).get(body.service.entityId.replace(acme.connectionId, 'x'));
  t.equal(nowhere.status, 404);
});
