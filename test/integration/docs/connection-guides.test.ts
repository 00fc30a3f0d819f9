import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import t from 'tap';
import { Value } from 'typebox/value';
import { newConnectionSettings } from '#src/admin/connections/connection-bodies.js';
import { connectionToAdd } from '#src/admin/connections/connection-schemas.js';
import { requireConnection } from '#src/connections/registry/connection-rules.js';
import { guidesPath } from '#src/http/base/guides-path.js';
import { samlTemplates } from '#src/http/providers/saml/saml-templates.js';
import { templates } from '#src/http/providers/templates.js';
import { en } from '#src/http/providers/texts/en.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { makeSamlKey } from '../../support/saml/saml-documents.js';

/** The guides of the providers: connect-entra.md, connect-okta.md, connect-google.md, connect-keycloak.md, connect-onelogin.md, connect-ping.md,
 * connect-adfs.md, connect-jumpcloud.md, connect-github.md, connect-microsoft.md, connect-apple.md. Each has the names of the form, and settings that Muster takes. */

const guideOf = (name: string) => readFileSync(`docs/guides/${name}.md`, 'utf8');
const jsonIn = (text: string) => JSON.parse(/```json\n([\s\S]*?)```/.exec(text)?.[1] ?? '{}');
const named = templates.filter(({ key }) => key !== 'other');

for (const { key, guide, name = '', asks, clientId, clientSecret, ...template } of named) {
  t.test(guide, async (t) => {
    const text = guideOf(guide);
    t.equal(guide, `connect-${key}`);
    for (const label of [name, clientId, clientSecret, ...asks.map(({ label }) => label)])
      t.ok(text.includes(label), `the guide names ${label}`);
    const body = jsonIn(text);
    t.same([...Value.Errors(connectionToAdd, body)], [], 'the admin API takes the body');
    const settings = requireConnection(newConnectionSettings(body), 'https://id.example.com');
    t.match(settings.provider, template.provider ?? {}, 'the settings are those of the form');
    t.equal(settings.linking.identifierClaim, template.identifierClaim ?? 'sub');
    if (template.claims) t.same(settings.claims, template.claims);
    const typed = Object.fromEntries(asks.map((asked) => [asked.name, asked.usual ?? asked.placeholder]));
    t.equal(
      settings.provider.issuer,
      template.issuer((asked) => typed[asked] ?? ''),
      'the issuer of the example',
    );
    t.match(text, /^Not tried|^Tried/m);
    const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words);
    const steps = en[key];
    const shared = bold.filter((words) => steps.includes(words));
    t.ok(shared.length >= 4, `the steps of the form have the names of the guide: ${shared.join(', ')}`);
  });
}

for (const { key, guide, name = '', entityId, acsUrl, sets, metadata, ...template } of samlTemplates) {
  if (key === 'other') continue;
  t.test(`${guide}, by SAML`, async (t) => {
    const [, text = ''] = guideOf(guide).split('## By SAML 2.0\n');
    for (const words of [name, entityId, acsUrl, metadata.name, ...sets.flat()])
      t.ok(text.includes(words), `the guide names ${words}`);
    const body = jsonIn(text);
    t.same([...Value.Errors(connectionToAdd, body)], [], 'the admin API takes the body');
    t.match(body.provider, template.provider);
    t.same(body.claims, template.claims);
    const described = {
      ...{
        issuer: 'https://sso.acme.example',
        signIn: { address: 'https://sso.acme.example/in', binding: 'redirect' as const },
      },
      certificates: [makeSamlKey().certificate],
    };
    t.ok(requireConnection(newConnectionSettings(body, described), 'https://id.example.com'));
  });
}

t.test('the service serves the guides, and they link to each other', async (t) => {
  const { app } = await buildTestApp(t);
  for (const { guide } of templates) {
    const page = await app.inject({ url: `${guidesPath}/${guide}` });
    t.equal(page.statusCode, 200, guide);
    const links = [...guideOf(guide).matchAll(/\]\(([\w-]+\.md)/g)].map(([, target = '']) => target);
    for (const target of links)
      t.equal(
        (await app.inject({ url: `${guidesPath}/${basename(target, '.md')}` })).statusCode,
        200,
        target,
      );
  }
});
