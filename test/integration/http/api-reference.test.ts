import t from 'tap';
import { buildTestApp } from '../../support/app/test-app.js';

const { app } = await buildTestApp(t);
const { paths, tags, components } = await app.describeApi();
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** The largest page, in bytes. */
const maxPage = 160_000;

async function read(url: string): Promise<string> {
  const { statusCode, headers, payload } = await app.inject({ url });
  if (statusCode !== 200 || !String(headers['content-type']).startsWith('text/html'))
    throw new Error(`${url} is answered with ${statusCode}`);
  return payload;
}

t.test('every operation is on the page of its tag, and on the first page', async (t) => {
  const first = await read('/docs/api');
  const pages = new Map<string, string>();
  for (const { name } of tags) pages.set(name, await read(`/docs/api/${name.replaceAll(' ', '-')}`));
  for (const [name, page] of [['the first page', first] as const, ...pages])
    t.ok(Buffer.byteLength(page) < maxPage, `${name} has ${Buffer.byteLength(page)} bytes`);
  t.ok(operations.length > 150);
  for (const { path, method, operation } of operations) {
    const { operationId, tags: [tag = ''] = [] } = operation as { operationId: string; tags?: string[] };
    const page = pages.get(tag) ?? '';
    const start = page.indexOf(`<section id="${operationId}"`);
    const section = page.slice(start, page.indexOf('</section>', start));
    const says = [
      `${method.toUpperCase()}</span> <code>${path}</code>`,
      ...((operation['parameters'] ?? []) as { name: string }[]).map(({ name }) => `<code>${name}</code>`),
      ...(operation['requestBody'] === undefined ? [] : ['<h3>Body']),
      ...Object.keys(operation['responses'] as object).map((status) => `${status}`),
      'curl',
    ];
    t.same(
      says.filter((text) => !section.includes(text)),
      [],
      operationId,
    );
    t.ok(first.includes(`#${operationId}"`), `the first page leads to ${operationId}`);
  }
});

t.test('every schema has a page with its fields, and every link leads somewhere', async (t) => {
  const list = await read('/docs/api/schemas');
  const known = new Map<string, string>();
  for (const [name, schema] of Object.entries(components['schemas'] ?? {})) {
    const page = await read(`/docs/api/schemas/${name}`);
    known.set(`/docs/api/schemas/${name}`, page);
    t.ok(list.includes(`/docs/api/schemas/${name}"`), name);
    t.ok(Buffer.byteLength(page) < maxPage, `${name} has ${Buffer.byteLength(page)} bytes`);
    const fields = Object.keys((schema['properties'] ?? {}) as object);
    t.same(
      fields.filter((field) => !page.includes(`<code>${field}</code>`)),
      [],
      `the fields of ${name}`,
    );
  }
  const pages = [
    '/docs/api',
    '/docs/api/schemas',
    ...tags.map(({ name }) => `/docs/api/${name.replaceAll(' ', '-')}`),
  ];
  for (const url of pages) known.set(url, await read(url));
  const broken = new Set<string>();
  for (const page of known.values()) {
    for (const [, path = '', id = ''] of page.matchAll(
      /href="[^"#]*?(\/docs\/api(?:\/[\w-]+)*)(?:#(\w+))?"/g,
    )) {
      const target = known.get(path);
      if (target === undefined || (id !== '' && !target.includes(`id="${id}"`))) broken.add(`${path}#${id}`);
    }
  }
  t.same([...broken], []);
});

t.test('the pages run no script, and ask no other origin', async (t) => {
  const { headers, payload } = await app.inject({ url: '/docs/api/scim' });
  const policy = String(headers['content-security-policy']);
  t.match(policy, /script-src 'none'; style-src 'self';/);
  t.notMatch(payload, /<script|<style|style=|onclick/);
  t.match(payload, /<html lang="en">/);
  const { headers: ofStyle } = await app.inject({
    url: /[^"]*(\/docs\/api\/assets\/\w+\.css)"/.exec(payload)?.[1] ?? '',
  });
  t.match(ofStyle, { 'content-type': /^text\/css/, 'cache-control': /immutable/ });
});

t.test('an unknown section or schema is a page that says so', async (t) => {
  const hostile = '%3Cscript%3Ealert(1)%3C%2Fscript%3E';
  for (const url of [
    'toString',
    'nothing',
    hostile,
    'schemas/toString',
    'schemas/__proto__',
    `schemas/${hostile}`,
  ]) {
    const { statusCode, headers, payload } = await app.inject({ url: `/docs/api/${url}` });
    t.match({ statusCode, headers }, { statusCode: 404, headers: { 'content-type': /^text\/html/ } }, url);
    t.notMatch(payload, /<script/, url);
  }
});
