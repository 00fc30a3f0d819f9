import { randomBytes, randomInt } from 'node:crypto';
import sharp from 'sharp';
import t from 'tap';
import { hasOnlyPixels, pictureHeader } from '#src/organizations/logo/picture-header.js';
import { makeCaller } from '../../support/app/make.js';
import { makeHome } from '../../support/app/people.js';
import { buildTestApp } from '../../support/app/test-app.js';

/** The uploaded logo of an organization: what is taken, what is made of it, and how it is served. */

const { app, container, call } = await buildTestApp(t);
const home = await makeHome(container, { name: 'Acme' });
const owner = await makeCaller(container, home.id, ['ORG_OWNER']);
const path = `/admin/v1/orgs/${home.id}/logo`;
const put = (bytes: Buffer, as = owner) =>
  call(`PUT ${path}`, { as, body: { picture: bytes.toString('base64') } });
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } });
const serve = async (address: string) => app.inject({ url: new URL(address).pathname });
const event = async () =>
  (
    await container.events.search({
      aggregateId: home.id,
      eventTypes: ['org.changed'],
      limit: 50,
      ascending: true,
    })
  ).length;

t.test('PNG, JPEG and WebP become a small WebP, which is served with a strict policy', async (t) => {
  for (const [type, bytes] of [
    ['png', await picture(1600, 400).png().toBuffer()],
    [
      'jpeg',
      await picture(300, 90)
        .withExif({ IFD0: { Copyright: 'secret-place' } })
        .jpeg()
        .toBuffer(),
    ],
    ['webp', await picture(20, 20).webp().toBuffer()],
  ] as const) {
    const known = await event();
    const { status, body } = await put(bytes);
    t.equal(status, 200, type);
    t.match(body.logoUrl, /\/login\/logos\/[^/]+\/[0-9a-f]{64}\.webp$/);
    t.equal(await event(), known + 1, 'the change has its event');
    const served = await serve(body.logoUrl);
    t.match(served.headers, {
      'content-type': 'image/webp',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': /immutable/,
    });
    const made = await sharp(served.rawPayload).metadata();
    t.ok((made.width ?? 0) <= 1000 && (made.height ?? 0) <= 144, type);
    t.equal(made.format, 'webp');
    t.notMatch(served.rawPayload.toString('latin1'), 'secret-place', 'what stood beside the pixels is gone');
    t.match((await container.organizations.find(home.id))?.login, { logoUrl: body.logoUrl });
    t.match((await call(`GET /admin/v1/orgs/${home.id}`, { as: owner })).body.login, body);
  }
});

t.test('a file behind the pixels does not come through', async (t) => {
  const script = '<html><script>alert(1)</script>PK\u0003\u0004';
  const png = await picture(30, 30).png().toBuffer();
  const { status, body } = await put(Buffer.concat([png, Buffer.from(script)]));
  t.equal(status, 200);
  t.notMatch((await serve(body.logoUrl)).payload, 'script');
});

t.test('what is no still picture within the bounds is refused before it is decoded', async (t) => {
  const png = await picture(300, 300).png().toBuffer();
  const jpeg = await picture(300, 300).jpeg().toBuffer();
  const sized = (bytes: Buffer, width: number, height: number) => {
    const copy = Buffer.from(bytes);
    copy.writeUInt32BE(width, 16);
    copy.writeUInt32BE(height, 20);
    return copy;
  };
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  const hugeJpeg = Buffer.from(jpeg);
  hugeJpeg.writeUInt32BE(0xffffffff, frame + 5);
  const animatedPng = Buffer.concat([png.subarray(0, 33), Buffer.from('\0\0\0\u0008acTL'), png.subarray(33)]);
  const animatedWebp = Buffer.from(
    'RIFF\u0016\0\0\0WEBPVP8X\u000a\0\0\0\u0002\0\0\0\u0009\0\0\u0009\0\0',
    'latin1',
  );
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>';
  const stored = (await container.organizations.find(home.id))?.version;
  for (const [name, bytes] of Object.entries({
    'a bomb of 65535 x 65535': sized(png, 65_535, 65_535),
    'a bomb of 4 billion': sized(png, 0xffffffff, 1),
    'too many pixels': sized(png, 4_000, 4_000),
    nothing: sized(png, 0, 10),
    'a JPEG of 65535 x 65535': hugeJpeg,
    'other pixels than the header says': sized(png, 301, 300),
    'a truncated PNG': png.subarray(0, png.length - 20),
    'a truncated JPEG': jpeg.subarray(0, Math.floor(jpeg.length / 2)),
    'a header alone': png.subarray(0, 33),
    'a signature alone': png.subarray(0, 8),
    'an animated PNG': animatedPng,
    'an animated WebP': animatedWebp,
    SVG: Buffer.from(svg),
    'SVG behind a mark': Buffer.from(`\ufeff${svg}`),
    GIF: await picture(10, 10).gif().toBuffer(),
    TIFF: await picture(10, 10).tiff().toBuffer(),
    text: Buffer.from('GIF89a/*<script>*/'),
    'one byte': Buffer.from([0xff]),
    'JPEG without an end of segments': Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(5_000, 0xff)]),
  })) {
    const answer = await put(bytes);
    t.equal(answer.status, 400, `${name}: ${JSON.stringify(answer.body).slice(0, 200)}`);
    t.equal(answer.body.id, 'directory.pictureInvalid', name);
    t.notMatch(JSON.stringify(answer.body), /vips|libspng|node_modules/i, 'nothing of the library is told');
  }
  const reasonOf = async (bytes: Buffer) => (await put(bytes)).body.detail;
  for (const bytes of [animatedPng, animatedWebp]) t.match(await reasonOf(bytes), 'The picture is animated');
  for (const bytes of [sized(png, 65_535, 65_535), sized(png, 4_000, 4_000), hugeJpeg])
    t.match(await reasonOf(bytes), 'at most 4096 pixels', 'its header was enough');
  t.equal((await put(Buffer.alloc(1_048_577))).body.id, 'directory.pictureInvalid', 'too many bytes');
  t.ok([400, 413].includes((await put(Buffer.alloc(1_100_000))).status));
  t.equal((await call(`PUT ${path}`, { as: owner, body: { picture: 'no base64!' } })).status, 400);
  t.equal((await container.organizations.find(home.id))?.version, stored, 'nothing was written');
});

t.test('pictures of unusual kinds become logos of the same form', async (t) => {
  const noise = (channels: 3 | 4, side: number) =>
    sharp(randomBytes(side * side * channels), { raw: { width: side, height: side, channels } });
  for (const [kind, bytes] of Object.entries({
    'a CMYK JPEG': await picture(60, 40).toColourspace('cmyk').jpeg().toBuffer(),
    'a PNG of 16 bits': await picture(60, 40).toColourspace('rgb16').png().toBuffer(),
    'a PNG of one colour channel': await picture(60, 40).toColourspace('b-w').png().toBuffer(),
    'a PNG with a palette': await picture(60, 40).png({ palette: true }).toBuffer(),
    'an interlaced PNG': await picture(60, 40).png({ progressive: true }).toBuffer(),
    'a progressive JPEG': await picture(60, 40).jpeg({ progressive: true }).toBuffer(),
    'a lossless WebP': await picture(60, 40).webp({ lossless: true }).toBuffer(),
    'a PNG of noise': await noise(4, 450).png({ compressionLevel: 1 }).toBuffer(),
    'a JPEG of noise': await noise(3, 900).jpeg({ quality: 60 }).toBuffer(),
  })) {
    const { status, body } = await put(bytes);
    t.equal(status, 200, `${kind}: ${JSON.stringify(body)}`);
    const { rawPayload } = await serve(body.logoUrl);
    t.match(await sharp(rawPayload).metadata(), { format: 'webp', depth: 'uchar', space: 'srgb' }, kind);
    t.ok(hasOnlyPixels(rawPayload) && rawPayload.length <= 65_536, kind);
  }
});

t.test('headers of every kind end quickly, and a file with more than pixels is no stored logo', async (t) => {
  const logo = await picture(30, 30).webp().toBuffer();
  const sizes = Buffer.from(logo);
  t.ok(hasOnlyPixels(logo));
  t.notOk(hasOnlyPixels(Buffer.concat([logo, Buffer.from('<script>')])), 'something behind it');
  t.notOk(
    hasOnlyPixels(
      await picture(9, 9)
        .withExif({ IFD0: { Copyright: 'x' } })
        .webp()
        .toBuffer(),
    ),
  );
  t.notOk(hasOnlyPixels(await picture(9, 9).png().toBuffer()), 'another type');
  for (const from of [logo, await picture(9, 9).png().toBuffer(), await picture(9, 9).jpeg().toBuffer()]) {
    for (let length = 0; length <= from.length; length++) pictureHeader(from.subarray(0, length));
    for (let round = 0; round < 2_000; round++) {
      const odd = Buffer.from(from);
      for (let at = 0; at < 4; at++) odd[randomInt(Math.min(odd.length, 64))] = randomInt(256);
      hasOnlyPixels(odd);
    }
  }
  // Segments of the least length, to the end of the largest upload.
  const segments = Buffer.alloc(1_048_576, Buffer.from('ffe00002', 'hex'));
  segments.writeUInt16BE(0xffd8, 0);
  t.equal(pictureHeader(segments), undefined);
  sizes.writeUInt32LE(0xfffffff0, 16);
  t.notOk(hasOnlyPixels(sizes), 'a length beyond the end');
});

t.test('the same picture again, and the removal of none, change nothing', async (t) => {
  const bytes = await picture(33, 33).png().toBuffer();
  const { body } = await put(bytes);
  const known = await event();
  t.same((await put(bytes)).body, body);
  t.equal(await event(), known);
  const elsewhere = { login: { logoUrl: 'https://cdn.example/logo.png' } };
  t.equal((await call(`PATCH /admin/v1/orgs/${home.id}`, { as: owner, body: elsewhere })).status, 200);
  t.equal(await container.logos.count(home.id), 0, 'a logo of another address takes its place');
  const back = { login: { logoUrl: body.logoUrl.replace('http:', 'https:') } };
  t.equal((await call(`PATCH /admin/v1/orgs/${home.id}`, { as: owner, body: back })).status, 200);
  t.equal((await serve(body.logoUrl)).statusCode, 404, 'its former address brings no bytes back');
  t.equal((await put(bytes)).status, 200);
  t.equal((await serve(body.logoUrl)).statusCode, 200);
  t.equal((await call(`DELETE ${path}`, { as: owner })).status, 204);
  const ended = await event();
  t.equal((await call(`DELETE ${path}`, { as: owner })).status, 204);
  t.equal(await event(), ended);
});

t.test('only the present logo of the organization itself is served', async (t) => {
  const first = (await put(await picture(40, 40).png().toBuffer())).body.logoUrl;
  const second = (await put(await picture(50, 40).png().toBuffer())).body.logoUrl;
  t.equal((await serve(first)).statusCode, 404, 'a former logo is gone');
  t.equal((await serve(second)).statusCode, 200);
  const other = await makeHome(container);
  t.equal((await serve(second.replace(home.id, other.id))).statusCode, 404);
  t.equal((await serve(second.replace(/[0-9a-f]{64}/, '0'.repeat(64)))).statusCode, 404);
  t.equal(await container.logos.count(home.id), 1, 'one for each organization');
  const stranger = await makeCaller(container, other.id, ['ORG_OWNER']);
  t.equal((await put(await picture(9, 9).png().toBuffer(), stranger)).status, 404);
  const manager = await makeCaller(container, home.id, ['ORG_USER_MANAGER']);
  t.equal((await put(await picture(9, 9).png().toBuffer(), manager)).status, 403);

  const renamed = await call(`PATCH /admin/v1/orgs/${home.id}`, {
    as: owner,
    body: { login: { brandColor: '#aa0000' } },
  });
  t.equal(renamed.status, 200);
  t.match(renamed.body.login, { logoUrl: second }, 'another change keeps the logo');
  t.equal((await call(`DELETE ${path}`, { as: owner })).status, 204);
  t.equal((await serve(second)).statusCode, 404);
  t.notOk((await container.organizations.find(home.id))?.login.logoUrl);
  t.equal(await container.logos.count(home.id), 0);
});

t.test('a logo counts as an entry of the quota of metadata', async (t) => {
  const small = await makeHome(container);
  const theirs = await makeCaller(container, small.id, ['ORG_OWNER']);
  const root = await makeCaller(container, small.id, ['IAM_OWNER']);
  await call(`PATCH /admin/v1/orgs/${small.id}`, { as: root, body: { quotas: { metadata: 1 } } });
  const upload = async (side: number) =>
    call(`PUT /admin/v1/orgs/${small.id}/logo`, {
      as: theirs,
      body: { picture: (await picture(side, side).png().toBuffer()).toString('base64') },
    });
  t.equal((await upload(10)).status, 200);
  t.equal((await upload(11)).status, 200, 'one that takes the place of another');
  const metadata = `/admin/v1/orgs/${small.id}/users/${theirs.id}/metadata/key`;
  t.equal(
    (await call(`PUT ${metadata}`, { as: theirs, body: { value: 'AAAA' } })).status,
    403,
    'the quota is full',
  );
});
