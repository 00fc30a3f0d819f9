import t from 'tap';
import { type SamlTemplate, samlTemplates } from '#src/http/providers/saml/saml-templates.js';
import { openConsole } from '../../support/app/console.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeCertificate } from '../../support/network/certificate.js';
import { isSignedIn, newVisitor } from '../../support/oidc/connected.js';
import { upload } from '../../support/oidc/upload.js';
import type { Seen } from '../../support/oidc/visitor.js';
import { createHostileSamlProvider, signInBySaml } from '../../support/saml/hostile-saml-provider.js';
import { startRealSamlProvider } from '../../support/saml/real-saml-provider.js';
import { makeSamlKey } from '../../support/saml/saml-documents.js';

/** The pages of connections by SAML: they are added and changed by the address, the text or a file of the metadata. */

const certificate = await makeCertificate(t);
if (certificate === undefined) process.exit(0);
const service = await buildTestApp(t, { privateProviderHosts: '127.0.0.1', outgoingCa: certificate.cert });
const { container, clock } = service;
const home = await makeHome(container, { name: 'Acme', domains: ['acme.example'] });
const owner = await openConsole(service, home, { roles: ['ORG_OWNER'] });
const base = `/console/orgs/${home.id}/connections`;
const form = `${base}/new-saml`;

const idIn = ({ text }: Seen) =>
  /\/login\/connections\/[^/]+\/([0-9a-f-]{36})\/saml\/acs/.exec(text)?.[1] ?? '';

/** Sends the form of a provider. */
async function add(
  template: SamlTemplate['key'],
  fields: Record<string, string>,
  file?: string,
): Promise<Seen & { id: string }> {
  const page = await owner.get(`${form}?template=${template}`);
  const given = { name: 'Company', subjectAttribute: '', creation: 'create', enabled: 'on', ...fields };
  const seen = await upload(service, { visitor: owner, page, action: form }, given, file);
  return { ...seen, id: idIn(page) };
}

const stored = (id: string) => container.connections.find(home.id, id);

t.test('each provider has the values under its own names, and its steps in five languages', async (t) => {
  const choice = await owner.get(`${base}/new`);
  for (const {
    key,
    name = 'Another provider of SAML 2.0',
    entityId,
    acsUrl,
    sets,
    metadata,
  } of samlTemplates) {
    t.ok(choice.text.includes(`/new-saml?template=${key}`), key);
    const { status, text } = await owner.get(`${form}?template=${key}`);
    t.equal(status, 200);
    for (const words of [name, entityId, acsUrl, metadata.name, ...sets.flat()])
      t.ok(
        text.includes(
          words.replaceAll('"', '&quot;').replaceAll('&', '&amp;').replaceAll('&amp;quot;', '&quot;'),
        ),
        words,
      );
    t.match(text, /data-copy>[^<]+\/saml\/metadata</);
    t.match(text, /data-copy>[^<]+\/saml\/acs</);
  }
  for (const preferredLanguage of ['de', 'fr', 'es', 'it']) {
    const other = await openConsole(service, home, { roles: ['ORG_OWNER'], profile: { preferredLanguage } });
    const { text } = await other.get(`${form}?template=okta`);
    t.match(text, 'Okta Admin Console');
    t.notMatch(text, 'Enter the two values', preferredLanguage);
  }
  t.match(await owner.get(`${form}?template=nobody`), { status: 303, location: `${base}/new` });
});

t.test('a connection is added by the text, by a file and by the address of the metadata', async (t) => {
  const text = createHostileSamlProvider(() => clock.now());
  const pasted = await add('other', { metadata: text.metadata() });
  t.match(pasted, { status: 303, location: `${base}/${pasted.id}?done=addedOn` });
  t.match(await stored(pasted.id), {
    enabled: true,
    creation: 'create',
    provider: { issuer: text.entityId, nameIdFormat: 'persistent', signedPart: 'assertion' },
    claims: { givenName: 'givenName', familyName: 'familyName', email: 'email' },
  });
  const visitor = newVisitor(service);
  const connected = { orgId: home.id, connectionId: pasted.id };
  const person = { nameId: 'anna' };
  t.ok(isSignedIn(await signInBySaml(service, visitor, connected, { provider: text, person })));

  const file = createHostileSamlProvider(() => clock.now());
  const subjectAttribute = 'http://schemas.microsoft.com/identity/claims/objectidentifier';
  const uploaded = await add('entra', { subjectAttribute, metadata: 'ignored' }, file.metadata());
  t.match(await stored(uploaded.id), {
    provider: { issuer: file.entityId, nameIdFormat: 'unspecified', subjectAttribute },
    claims: { email: 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress' },
  });

  const real = await startRealSamlProvider(t, certificate);
  const read = await add('other', { metadataUrl: real.metadataUrl, name: 'Read' });
  t.match(await stored(read.id), {
    name: 'Read',
    provider: { issuer: real.issuer, metadataUrl: real.metadataUrl },
  });
});

t.test('what cannot be used comes back to the form, and says why', async (t) => {
  const nothing = await add('other', {});
  t.match(nothing, { status: 400, text: /id="f-metadataUrl-error"/ });
  t.match(nothing.text, 'value="Company"', 'with what was typed');
  const wrong = await add('other', { metadata: '<nothing/>' });
  t.match(wrong, { status: 400, text: /Muster cannot use this provider/ });
  t.match(wrong.text, 'The metadata describes no provider of SAML');
  const german = await openConsole(service, home, {
    ...{ roles: ['ORG_OWNER'], profile: { preferredLanguage: 'de' } },
  });
  const inGerman = await upload(
    service,
    { visitor: german, page: await german.get(`${form}?template=other`), action: form },
    { name: 'Company', metadata: '<nothing/>' },
  );
  t.match(inGerman.text, 'Die Metadaten beschreiben keinen SAML-Anbieter');
  t.notMatch(inGerman.text, 'describes no provider');
  t.match(await add('other', {}, `${' '.repeat(262_145)}`), { status: 400, text: /larger than 256 KiB/ });
  const entity = `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`;
  t.match(await add('other', { metadata: entity }), { status: 400 });
  t.match(await add('other', { metadataUrl: 'http://127.0.0.1/metadata' }), { status: 400 });
  t.match(await add('other', { metadataUrl: 'https://10.0.0.1/metadata' }), { status: 400 });
  const blank = await add('other', {
    metadata: createHostileSamlProvider(() => clock.now()).metadata(),
    subjectAttribute: 'a\u200bb',
  });
  t.match(blank, { status: 400, text: /id="f-subjectAttribute"[^>]*aria-invalid/ });
  const large = { name: 'x'.repeat(200_000), metadata: 'y'.repeat(250_000) };
  const tooMuch = await add('other', large);
  t.equal(tooMuch.status, 400, 'fields of more than 400,000 characters');
  t.notMatch(tooMuch.text, 'f-name', 'are no form');
  t.equal((await add('nobody' as 'other', {}).catch(() => undefined))?.status, undefined);
});

t.test('the settings change in one form, and the metadata on its own page', async (t) => {
  const provider = createHostileSamlProvider(() => clock.now());
  const { id } = await add('other', { metadata: provider.metadata() });
  const page = await owner.get(`${base}/${id}/change`);
  t.match(page.text, provider.entityId);
  t.match(
    page.text,
    `Register ${container.config.baseUrl}/login/connections/${home.id}/${id}/saml/logout there`,
  );
  const fields = {
    ...{ name: 'Renamed', strength: 'claimed', creation: 'refuse', identifierClaim: 'sub', byPerson: 'on' },
    ...{ nameIdFormat: 'unspecified', subjectAttribute: 'uid', signedPart: 'response' },
    ...{ multiFactorAcrs: 'urn:a\nurn:b', signsRequests: 'on', startsAtProvider: 'on' },
    endsSession: 'on',
  };
  t.match(await owner.fill(page, fields, `${base}/${id}/change`), { status: 303 });
  t.match(await stored(id), {
    name: 'Renamed',
    strength: 'claimed',
    creation: 'refuse',
    linking: { byPerson: true },
    provider: {
      ...{ issuer: provider.entityId, nameIdFormat: 'unspecified', subjectAttribute: 'uid' },
      ...{ signedPart: 'response', multiFactorAcrs: ['urn:a', 'urn:b'], allowsSha1: false },
      ...{ signsRequests: true, startsAtProvider: true, endsSession: true },
    },
    claims: { email: 'email' },
  });
  const late = await owner.fill(page, { ...fields, name: 'Too late' }, `${base}/${id}/change`);
  t.equal(late.status, 409);
  const address = await owner.fill(
    await owner.get(`${base}/${id}/change`),
    { ...fields, nameIdFormat: 'emailAddress', subjectAttribute: '' },
    `${base}/${id}/change`,
  );
  t.match(address, { status: 400, text: /id="f-subjectAttribute"[^>]*aria-invalid/ });

  const action = `${base}/${id}/metadata`;
  const shown = await owner.get(action);
  t.match(shown.text, 'BEGIN CERTIFICATE');
  const second = makeSamlKey();
  const both = provider.metadata([provider.key, second]);
  const change = (metadata: string) => upload(service, { visitor: owner, page: shown, action }, {}, metadata);
  t.match(await change(both), { status: 303, location: `${base}/${id}?done=saved` });
  const changed = await stored(id);
  t.match(changed, { provider: { certificates: { length: 2 }, subjectAttribute: 'uid' } });
  t.equal((await change(both)).status, 303, 'once more');
  t.notMatch((await owner.get(action)).text, /other certificates/);
  const elliptic = { ...second, certificate: certificate.cert };
  t.match(await change(provider.metadata([provider.key, elliptic])), { status: 303 });
  t.match((await owner.get(action)).text, /other certificates \(1\) that are left out/);
  const foreign = await change(createHostileSamlProvider(() => clock.now()).metadata());
  t.match(
    foreign,
    { status: 409, text: /id="f-metadataUrl-error">[^<]*another provider/ },
    'the issuer never changes',
  );
  t.match((await owner.get(`${base}/${id}`)).text, `${base}/${id}/metadata`);
  const other = await openConsole(service, await makeHome(container), { roles: ['ORG_OWNER'] });
  t.equal((await other.get(action)).status, 403, 'another organization sees nothing');
});
