import t from 'tap';
import { notRun } from '../../../dev/not-run.js';
import { findProgram } from '../../../dev/programs.js';
import { makeTenant } from '../../support/app/make.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { isSignedIn, leaveFor, newVisitor } from '../../support/oidc/connected.js';
import { startPysaml2 } from '../../support/processes/pysaml2.js';
import { bringBack } from '../../support/saml/hostile-saml-provider.js';

/**
 * pysaml2 as the provider of a connection by SAML: it reads our metadata and our requests, signs and encrypts with `xmlsec1`, and begins a logout. It
 * needs Python 3.10 or newer with `venv`, PyPI, and `xmlsec1`.
 */

t.test('people of pysaml2 sign in and out by a connection', { timeout: 240_000 }, async (t) => {
  const [python, xmlsec1] = [await findProgram('python3'), await findProgram('xmlsec1')];
  if (python === undefined) return notRun(t, 'python3 is not installed');
  if (xmlsec1 === undefined) return notRun(t, 'xmlsec1 is not installed');
  const service = await buildTestApp(t);
  const { container, call, app, clock } = service;
  clock.advance(Math.max(0, (Date.now() - clock.now().getTime()) / 1000));
  const provider = await startPysaml2(t, { python, xmlsec1 });
  const { orgId, owner } = await makeTenant(container);
  const body = {
    ...{ name: 'Python', protocol: 'saml', creation: 'create' },
    provider: { metadata: await provider.describe(), endsSession: true, signsRequests: true },
    claims: {
      givenName: 'urn:oid:2.5.4.42',
      familyName: 'urn:oid:2.5.4.4',
      email: 'urn:oid:0.9.2342.19200300.100.1.3',
    },
  };
  const added = await call(`POST /admin/v1/orgs/${orgId}/connections`, { as: owner, body });
  t.equal(added.status, 201, JSON.stringify(added.body));
  t.match(added.body.provider, {
    ...{ issuer: provider.entityId, signOut: 'https://pysaml2.example/slo' },
    signIn: { address: 'https://pysaml2.example/sso', binding: 'redirect' },
  });
  const { id: connectionId, service: ours } = added.body;
  const metadata = await app.inject(new URL(ours.entityId).pathname);
  t.equal(metadata.statusCode, 200);
  await provider.learn(metadata.payload);

  const path = new URL(ours.acsUrl).pathname;
  const lastRefusal = async (): Promise<string> => {
    const health = `GET /admin/v1/orgs/${orgId}/connections/${connectionId}/health`;
    const [refusal] = (await call(health, { as: owner })).body.refusals;
    return `${refusal?.reason}: ${refusal?.detail}`;
  };
  const enter = async (user: string, options?: Parameters<typeof provider.signIn>[2]) => {
    clock.advance(11);
    const visitor = newVisitor(service);
    const address = await leaveFor(visitor, { orgId, connectionId });
    const fields = await provider.signIn(address, user, options);
    const seen = await bringBack(service, visitor, { path, fields });
    return { visitor, fields, seen, why: isSignedIn(seen) ? undefined : await lastRefusal() };
  };
  const isIn = async ({ visitor }: { visitor: ReturnType<typeof newVisitor> }) =>
    (await visitor.get('/account')).status === 200;
  const anna = await enter('anna');
  t.equal(anna.why, undefined);
  t.match((await anna.visitor.follow(anna.seen)).text, 'Python');
  t.notOk(isSignedIn(await bringBack(service, anna.visitor, { path, fields: anna.fields })), 'once');

  const encrypted = await enter('anna', { encrypt_assertion: true });
  t.match(encrypted.why, /^undecryptable/, 'pysaml2 encrypts with Triple DES, which does not count');
  const both = await enter('bob', { sign_response: true });
  t.equal(both.why, undefined, 'both are signed');
  const whole = await enter('bob', { sign_assertion: false, sign_response: true });
  t.match(whole.why, /^signatureInvalid/, 'the assertion must be signed');
  const none = await enter('bob', { sign_assertion: false, sign_response: false });
  t.match(none.why, /^signatureInvalid/, 'nothing is signed');
  const weak = {
    sign_alg: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digest_alg: 'http://www.w3.org/2000/09/xmldsig#sha1',
  };
  t.match((await enter('bob', weak)).why, /^signatureInvalid/, 'SHA-1');
  t.equal(await container.users.count(orgId), 2);

  t.strictSame([await isIn(anna), await isIn(both)], [true, true]);
  const logout = await provider.logOut('anna', { entityId: ours.entityId, destination: ours.sloUrl });
  const answered = await newVisitor(service).get(logout);
  t.match(answered.location, /^https:\/\/pysaml2\.example\/slo\?SAMLResponse=/, `${answered.status}`);
  t.strictSame([await isIn(anna), await isIn(both)], [false, true], 'the logout of anna alone');
});
