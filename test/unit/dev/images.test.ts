import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { findImages, imagesOfDockerfile, imagesOfYaml } from '../../../dev/images/find-images.js';
import { pinImages } from '../../../dev/images/pin-images.js';
import { whyMoving } from '../../../dev/images/reference.js';
import { digestOf } from '../../../dev/images/registry-digest.js';
import { repository } from '../../../dev/repository.js';

const digest = `sha256:${'a'.repeat(64)}`;
const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;

t.test('lint refuses the tags that move', async (t) => {
  for (const text of [
    ...[
      'node:24.21.0-bookworm-slim',
      'mongo:8.0.28',
      'v/x:v1.2.3',
      'registry.example.com:5000/a/b:1.2.3',
      'a:1.2.3.4',
    ],
    ...[`node@${digest}`, `node:latest@${digest}`, `node:24.21.0@${digest}`, 'muster', 'muster:local'],
  ])
    t.equal(whyMoving(text), undefined, text);
  for (const text of [
    ...[
      'node',
      'node:latest',
      'node:24',
      'node:24.21',
      'node:20-slim',
      'node:lts',
      'node:24-bookworm-slim',
      'node:v24',
    ],
    ...[
      'registry.example.com/muster:latest',
      'registry.example.com/muster',
      'registry.example.com/muster:local',
    ],
    ...['node:1.2.3-latest', 'node:1.2.3-', 'node:1.2.x', 'node:bookworm-24.21.0', 'node:1.2.3-nightly-slim'],
    // A digest that is none, and names that nobody can read.
    ...[
      `node:24@${digest.slice(0, -1)}`,
      `node@sha512:${'a'.repeat(64)}`,
      `node:1.2.3@${digest.toUpperCase()}`,
    ],
    ...[
      '$BASE',
      'node:$' + '{VERSION}',
      '$' + '{IMAGE:-mongo:8.0.28}',
      '',
      '\\',
      'Node:1.2.3',
      'node:1.2.3 ',
      'a//b:1.2.3',
    ],
  ])
    t.type(whyMoving(text), 'string', text);
});

t.test('the images of this project are named by full versions, and everything is found', async (t) => {
  const { images, problems } = findImages(repository);
  t.same(problems, []);
  const moving = images.filter(({ text }) => whyMoving(text) !== undefined);
  t.same(moving, []);
  const names = new Set(images.map(({ text }) => text.split(':')[0]));
  t.same([...names].sort(), [
    'fsouza/fake-gcs-server',
    'mongo',
    'muster',
    'node',
    'redis',
    'registry.example.com/muster',
  ]);
});

t.test('the image has exactly the packages of package-lock.json', async (t) => {
  const file = readFileSync(join(repository, 'Dockerfile'), 'utf8');
  t.match(file, /^COPY package\.json package-lock\.json \.\/\nRUN npm ci /m);
  t.notMatch(file, /npm (?:install|i|add|update)\b/);
});

t.test('the programs of the image cannot write the compiled code that they run', async (t) => {
  const lines = readFileSync(join(repository, 'Dockerfile'), 'utf8').split('\n');
  const [made, owned, user] = [
    /node dev\/compile-cache\.ts/,
    /chown -R root:root compile-cache/,
    /^USER /,
  ].map((pattern) => lines.findLastIndex((line) => pattern.test(line))) as [number, number, number];
  t.ok(made < owned && owned < user, 'the cache belongs to root once it is made');
  t.equal(lines[user], 'USER node');
});

t.test('every way in which a container file names an image', async (t) => {
  const text = [
    '# syntax=docker/dockerfile:1',
    'FROM --platform=$BUILDPLATFORM node:24 AS Build',
    'from build as second',
    'COPY --from=build /a /b',
    'COPY --from=0 /a /b',
    'COPY --chown=1:1 --from=busybox:latest /a /b',
    'RUN --mount=type=bind,from=alpine:3,target=/a true',
    'RUN --mount=type=cache,target=/a,from=second true',
    'RUN --mount=from=debian:12,target=/a --mount=from=evil:latest,target=/b true',
    '# FROM comment:1',
    'FROM scratch',
    'FROM $BASE',
  ].join('\n');
  const { images } = imagesOfDockerfile('Dockerfile', text);
  const found = [
    'docker/dockerfile:1',
    'node:24',
    'busybox:latest',
    'alpine:3',
    'debian:12',
    'evil:latest',
    '$BASE',
  ];
  t.same(
    images.map((image) => image.text),
    found,
  );
  t.same(
    images.map(({ place }) => text.slice(place?.from, place?.to)),
    found,
  );
});

t.test('every way in which YAML names an image', async (t) => {
  const text = [
    'a: { image: mongo:8, name: x } # image: comment:1',
    "b:\n  image: 'redis:7'",
    'c: [{ "image": "busybox" }]',
    '---',
    'images:\n  - name: muster\n    newName: r.example/muster\n    newTag: latest\n  - name: mongo\n    digest: sha256:1',
  ].join('\n');
  const { images, problems } = imagesOfYaml('x.yaml', text);
  t.same(problems, []);
  t.same(
    images.map((image) => image.text),
    ['mongo:8', 'redis:7', 'busybox', 'r.example/muster:latest', 'mongo@sha256:1'],
  );
  t.same(
    images.slice(0, 3).map(({ place }) => text.slice(place?.from, place?.to)),
    ['mongo:8', 'redis:7', 'busybox'],
  );
  for (const odd of [
    'image: 8',
    'x: &a mongo:8\nimage: *a',
    'image: [mongo:8]',
    'image: { name: mongo:8 }',
    'image:',
  ])
    t.match(imagesOfYaml('x.yaml', odd).problems, [/x\.yaml/], odd);
});

/** A registry on this machine, which answers as the test says. */
async function startRegistry(
  t: Pick<Test, 'teardown'>,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ hub: string; asked: { line: string; authorization: string | undefined }[] }> {
  const asked: { line: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    asked.push({ line: `${request.method} ${request.url}`, authorization: request.headers.authorization });
    response.on('error', () => undefined);
    answer(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return { hub: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const manifest = '{"schemaVersion":2}';
const honest = (request: IncomingMessage, response: ServerResponse) => {
  response
    .setHeader('docker-content-digest', sha256(manifest))
    .end(request.method === 'HEAD' ? '' : manifest);
};
const mongo = { name: 'mongo', tag: '8.0.28' };

t.test('the digest of a tag, from Docker Hub or from the registry that the name has', async (t) => {
  const { hub, asked } = await startRegistry(t, honest);
  t.equal(await digestOf(mongo, { hub }), sha256(manifest));
  t.equal(await digestOf({ name: 'a/b', tag: '1.2.3' }, { hub }), sha256(manifest));
  t.match(asked, [
    { line: 'HEAD /v2/library/mongo/manifests/8.0.28', authorization: undefined },
    { line: `GET /v2/library/mongo/manifests/${sha256(manifest)}` },
    { line: 'HEAD /v2/a/b/manifests/1.2.3' },
    {},
  ]);
});

t.test('a registry that wants a token gets one of an anonymous reader', async (t) => {
  const services: string[] = [];
  const token = await startRegistry(t, (request, response) => {
    services.push(request.url ?? '');
    response.end(JSON.stringify({ token: 'abc' }));
  });
  const { hub, asked } = await startRegistry(t, (request, response) => {
    if (request.headers.authorization === 'Bearer abc') return honest(request, response);
    const challenge = `Bearer realm="${token.hub}/token?x=y",service="registry",scope="repository:other:push,pull"`;
    return response.writeHead(401, { 'www-authenticate': challenge }).end();
  });
  t.equal(await digestOf(mongo, { hub }), sha256(manifest));
  t.same(services, ['/token?x=y&service=registry&scope=repository%3Alibrary%2Fmongo%3Apull']);
  t.same(
    asked.map(({ authorization }) => authorization),
    [undefined, 'Bearer abc', 'Bearer abc'],
  );
});

t.test('a registry that lies, redirects, sends too much or stands still gives no digest', async (t) => {
  const elsewhere = await startRegistry(t, honest);
  const challenge = (realm: string) => (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(401, { 'www-authenticate': realm }).end();
  const header = (value: string) => (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(200, value === '' ? {} : { 'docker-content-digest': value }).end();
  const tokens = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
    const { hub } = await startRegistry(t, answer);
    return challenge(`Bearer realm="${hub}/"`);
  };
  const cases: [string, (request: IncomingMessage, response: ServerResponse) => void, RegExp][] = [
    ['no digest', header(''), /no digest/],
    ['half a digest', header('sha256:abc'), /no digest/],
    ['another hash', header(`sha512:${'a'.repeat(128)}`), /no digest/],
    ['more than a digest', header(`${digest} # and more`), /no digest/],
    ['two digests', header(`${digest}, ${digest}`), /no digest/],
    ['the digest of another manifest', header(digest), /another digest/],
    [
      'another manifest for the digest',
      (request, response) =>
        response
          .setHeader('docker-content-digest', sha256(manifest))
          .end(request.method === 'HEAD' ? '' : 'other'),
      /another digest/,
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(307, { location: `${elsewhere.hub}/x` }).end(),
      /status 307/,
    ],
    [
      'a redirect of the manifest',
      (request, response) =>
        request.method === 'HEAD'
          ? honest(request, response)
          : response.writeHead(302, { location: `${elsewhere.hub}/x` }).end(),
      /status 302/,
    ],
    ['no such tag', (_, response) => response.writeHead(404).end(), /does not have it/],
    ['too many requests', (_, response) => response.writeHead(429).end(), /status 429/],
    [
      'an endless demand for a token',
      await tokens((_, response) => response.end('{"token":"x"}')),
      /status 401/,
    ],
    ['no challenge', challenge(''), /no https address/],
    ['another scheme', challenge('Basic realm="http://127.0.0.1/"'), /no https address/],
    ['a file as token service', challenge('Bearer realm="file:///etc/passwd"'), /no https address/],
    ['a token service without https', challenge('Bearer realm="http://example.com/"'), /no https address/],
    [
      'a token service that refuses',
      await tokens((_, response) => response.writeHead(403).end()),
      /status 403/,
    ],
    ['no token', await tokens((_, response) => response.end('{"token":["x"]}')), /no token/],
    [
      'a token with a line break',
      await tokens((_, response) => response.end('{"token":"a\\r\\nb: c"}')),
      /no token/,
    ],
    ['no JSON', await tokens((_, response) => response.end('<html>')), /no token/],
    [
      'a huge token',
      await tokens((_, response) => response.end(JSON.stringify({ token: 'a'.repeat(100_000) }))),
      /more than 65536 bytes/,
    ],
    [
      'a redirected token',
      await tokens((_, response) => response.writeHead(302, { location: `${elsewhere.hub}/x` }).end()),
      /status 302/,
    ],
    [
      'a huge manifest',
      (request, response) =>
        request.method === 'HEAD' ? honest(request, response) : response.end('a'.repeat(5 * 1024 * 1024)),
      /more than 4194304 bytes/,
    ],
    ['silence', () => undefined, /in time/],
    [
      'a manifest without end',
      (request, response) =>
        request.method === 'HEAD' ? honest(request, response) : void response.writeHead(200).write('a'),
      /in time/,
    ],
    ['a broken connection', (request) => void request.socket.destroy(), /cannot be reached/],
  ];
  for (const [name, answer, message] of cases) {
    const { hub } = await startRegistry(t, answer);
    const limitMs = /in time/.test(message.source) ? 300 : 20_000;
    await t.rejects(digestOf(mongo, { hub, limitMs }), { name: 'RegistryFault', message }, name);
  }
  t.same(elsewhere.asked, [], 'no redirect is followed');
  await t.rejects(digestOf(mongo, { hub: 'http://registry.example.com' }), { message: /no https address/ });
});

t.test('make pin-images writes the digests, and leaves everything else as it is', async (t) => {
  const folder = t.testdir({});
  const files = [
    'Dockerfile',
    'docker-compose.yml',
    'k8s/overlays/dev/stores.yaml',
    'k8s/overlays/prod/kustomization.yaml',
  ];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(repository, file), join(folder, file));
  }
  const read = () => files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const plain = (text: string) => text.replace(/@sha256:[0-9a-f]{64}/g, '');
  const before = read().map(plain);
  for (const [index, file] of files.entries()) writeFileSync(join(folder, file), before[index] ?? '');
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);

  const { hub } = await startRegistry(t, honest);
  t.equal(await pinImages(folder, { log, hub }), true);
  const after = read();
  t.same(after.map(plain), before);
  t.same(
    after.map((text) => text.match(/@sha256:[0-9a-f]{64}/g)?.length ?? 0),
    [2, 3, 2, 0],
  );
  t.match(after[0], `bookworm-slim@${sha256(manifest)} AS build\n`);
  t.same(
    lines.filter((line) => line.startsWith('mongo:8.0.28 is')),
    [`mongo:8.0.28 is ${sha256(manifest)}`],
  );
  t.notMatch(lines.join('\n'), 'muster');
  t.same(
    findImages(folder).images.filter(({ text }) => whyMoving(text) !== undefined),
    [],
  );

  lines.length = 0;
  t.equal(await pinImages(folder, { log, hub }), true);
  t.same(read(), after, 'a second time changes nothing');

  const other = await startRegistry(t, (request, response) => {
    if (request.url?.includes('/mongo/')) return void response.writeHead(404).end();
    return response
      .setHeader('docker-content-digest', sha256('other'))
      .end(request.method === 'HEAD' ? '' : 'other');
  });
  lines.length = 0;
  t.equal(await pinImages(folder, { log, hub: other.hub }), false, 'one image is not there');
  t.match(read()[1], new RegExp(`mongo:8.0.28@${sha256(manifest)}\n`), 'its digest stays');
  t.match(read()[1], new RegExp(`redis:7.4.11@${sha256('other')}\n`));
  t.match(lines, [/not pinned: mongo:8\.0\.28@.*does not have it/]);
  t.match(lines.join('\n'), `redis:7.4.11 is ${sha256('other')}, and was ${sha256(manifest)}`);

  lines.length = 0;
  const pinned = read();
  t.equal(await pinImages(folder, { log, hub: 'http://127.0.0.1:9' }), false);
  t.same(read(), pinned, 'without a registry nothing changes');
  t.ok(
    lines.every((line) => line.startsWith('not pinned: ') && line.includes('cannot be reached from here')),
  );
});
