import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { copyPath } from '#src/http/pages/copy.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { app, container } = await buildTestApp(t);
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

t.test('the pages run only the script for copying, and ask no other origin', async (t) => {
  const { headers, payload } = await app.inject({ url: '/docs/api/scim' });
  const policy = String(headers['content-security-policy']);
  t.match(policy, /script-src 'self'; style-src 'self';/);
  t.equal(payload.split('<script').length, 2);
  t.match(payload, `<script src="https://muster.example${copyPath}" defer></script>`);
  t.notMatch(payload, /<style|style=|onclick/);
  t.match(payload, /<html lang="en">/);
  const { headers: ofStyle } = await app.inject({
    url: /[^"]*(\/docs\/assets\/\w+\.css)"/.exec(payload)?.[1] ?? '',
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

/** Every document that is served, by its address. */
const documents = [
  '/docs/guides',
  '/docs/readme',
  '/docs/security',
  '/docs/mappings',
  ...readdirSync('docs/guides').map((name) => `/docs/guides/${name.replace(/\.md$/, '')}`),
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => `/docs/${name.replace(/\.md$/, '')}`),
];

t.test('the index leads to every guide, and no link of any document is dead', async (t) => {
  const pages = new Map<string, string>();
  for (const address of documents) pages.set(address, await read(address));
  const index = pages.get('/docs/guides') ?? '';
  t.same(
    documents.filter((address) => address.startsWith('/docs/guides/') && !index.includes(`${address}"`)),
    [],
  );
  const { baseUrl } = container.config;
  const dead: string[] = [];
  const links = [...pages].flatMap(([from, page]) =>
    [...page.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, href = '']) => ({ from, href })),
  );
  t.ok(links.length > 1_000, `${links.length} links`);
  for (const { from, href } of links) {
    const isHere = href.startsWith('#') || href.startsWith(`${baseUrl}/`);
    if (!isHere) {
      // Another site, or a page of the reader's own machine.
      if (!/^https?:\/\/[^/]/.test(href)) dead.push(`${from}: ${href}`);
      continue;
    }
    const [path = '', id] = href.startsWith('#')
      ? [from, href.slice(1)]
      : (href.slice(baseUrl.length).split('#', 2) as [string, string | undefined]);
    if (!pages.has(path)) {
      const { statusCode, payload } = await app.inject({ url: path });
      if (statusCode === 200) pages.set(path, payload);
    }
    const target = pages.get(path);
    if (target === undefined || (id !== undefined && !target.includes(`id="${decodeURIComponent(id)}"`)))
      dead.push(`${from}: ${href}`);
  }
  t.same([...new Set(dead)], []);
});

t.test('a guide says what its file says, escaped, with the files and commands in it', async (t) => {
  for (const name of ['express', 'go', 'migrate']) {
    const page = await read(`/docs/guides/${name}`);
    const text = readFileSync(`docs/guides/${name}.md`, 'utf8');
    const blocks = [...text.matchAll(/```\w+\n([\s\S]*?)\n```/g)].map(([, block = '']) => block);
    t.ok(blocks.length > 2, name);
    const shown = [...page.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, block = '']) =>
      plainText(block),
    );
    t.same(shown, blocks, `${name}: every block`);
    t.ok(Buffer.byteLength(page) < 81_920, `${name} has ${Buffer.byteLength(page)} bytes`);
  }
});

/** The text of escaped markup. */
function plainText(text: string): string {
  const names: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };
  return text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => names[name] ?? '');
}

t.test('a guide is one buffer for all, compressed, and a browser that has it gets nothing', async (t) => {
  const url = '/docs/guides/express';
  const plain = await app.inject({ url });
  const { etag, ...headers } = plain.headers;
  t.match(headers, {
    'cache-control': 'no-cache',
    'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    vary: /accept-encoding/,
  });
  const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  t.equal(packed.headers['content-encoding'], 'gzip');
  t.equal(gunzipSync(packed.rawPayload).toString(), plain.payload);
  t.ok(packed.rawPayload.length < plain.rawPayload.length / 2);
  for (const tag of [etag, `"other", ${etag}`, '*']) {
    const known = await app.inject({ url, headers: { 'if-none-match': String(tag) } });
    t.equal(known.statusCode, 304, String(tag));
    t.equal(known.payload, '');
    t.equal(known.headers.etag, etag);
  }
  t.equal((await app.inject({ url, headers: { 'if-none-match': '"other"' } })).statusCode, 200);
  const head = await app.inject({ method: 'HEAD', url });
  t.match(
    { ...head.headers, ...head },
    { statusCode: 200, etag, 'content-length': headers['content-length'] },
  );
  const mapping = await app.inject({ url: '/docs/mappings/logto.json' });
  t.match(mapping.headers, { 'content-type': /^application\/json/, etag: /^W/ });
  t.same(mapping.json(), JSON.parse(readFileSync('docs/mappings/logto.json', 'utf8')));
});

t.test('no other file is served, whatever its name', async (t) => {
  const decision = readdirSync('docs/decisions')[0]?.replace(/\.md$/, '');
  for (const name of [
    ...[
      'toString',
      '__proto__',
      'package.json',
      'README',
      'express.md',
      'openapi.json',
      `decisions/${decision}`,
    ],
    ...[
      '..%2F..%2Fpackage.json',
      '%2e%2e%2f%2e%2e%2fsrc%2fconfig.ts',
      'guides/..%2F..%2FSECURITY',
      'guides/',
    ],
    ...['guides/%00express', `guides/${'a'.repeat(5_000)}`, 'mappings/README.md', 'guides/Express'],
  ]) {
    const { statusCode, payload } = await app.inject({ url: `/docs/${name}` });
    t.ok([404, 414].includes(statusCode), `${name.slice(0, 50)}: ${statusCode}`);
    t.notMatch(payload, /"dependencies"|export const/, name.slice(0, 50));
  }
});
