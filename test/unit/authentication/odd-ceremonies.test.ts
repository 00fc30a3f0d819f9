import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import t from 'tap';
import { readAssertion, readRegistration } from '#src/authentication/passkeys/read-passkey-response.js';
import { verifyAssertion, verifyRegistration } from '#src/authentication/passkeys/verify-ceremony.js';
import {
  type CborValue,
  cbor,
  coseMap,
  type Otherwise,
  SoftAuthenticator,
} from '../../support/passkeys/authenticator.js';

/** Answers that no honest browser and authenticator give, and the odd ones that some do. */

const party = { id: 'id.example.com', origin: 'https://id.example.com:8443' };
const { id: rpId, origin } = party;
const challenge = randomBytes(64).toString('base64url');

/** Whether the answer is right for this challenge. Whether the challenge is right is decided elsewhere. */
async function signsIn(key: SoftAuthenticator, other: Otherwise = {}): Promise<boolean> {
  const read = readAssertion(key.get({ challenge, rpId }, origin, other));
  const publicKey = key.coseKey.toString('base64url');
  const verified = read && (await verifyAssertion(read, { publicKey }, party));
  return verified !== undefined && read?.challenge === challenge;
}

/** Whether the answer makes a credential. */
async function enrols(key: SoftAuthenticator, other: Otherwise = {}): Promise<boolean> {
  const user = { id: randomBytes(32).toString('base64url') };
  const read = readRegistration(key.create({ challenge, rp: { id: rpId }, user }, origin, other));
  const made = read && (await verifyRegistration(read, party));
  return made !== undefined && read?.challenge === challenge;
}

const nested = (depth: number) =>
  Buffer.concat([Buffer.alloc(2 * depth, Buffer.from('a100', 'hex')), Buffer.from([0])]);
const extensions = (value: CborValue) => ({ flags: 0x85, behind: cbor(value) });
const twice = (name: string, first: unknown) => ({
  rewrite: (text: string) => text.replace('{', `{${JSON.stringify(name)}:${JSON.stringify(first)},`),
});
const last = (name: string, value: unknown) => ({
  rewrite: (text: string) => text.replace(/}$/, `,${JSON.stringify(name)}:${JSON.stringify(value)}}`),
});

t.test('a sign-in that is not what the page asked for', async (t) => {
  const key = new SoftAuthenticator();
  const hostile: Record<string, Otherwise> = {
    'another scheme': { origin: origin.replace('https:', 'http:') },
    'another port': { origin: origin.replace(':8443', ':443') },
    'no port': { origin: origin.replace(':8443', '') },
    'a path behind the origin': { origin: `${origin}/` },
    'capital letters in the origin': { origin: origin.toUpperCase() },
    'another RP ID': { rpId: 'example.com' },
    'no RP ID': { rpId: '' },
    'nobody present': { flags: 0x04 },
    'no signature': { signature: Buffer.from([1]) },
    'a signature of zeroes': { signature: Buffer.from('3006020100020100', 'hex') },
    'a signature of 30,000 bytes': { signature: Buffer.alloc(30_000, 1) },
    'a host above': { origin: origin.replace('//', '//login.') },
    'no origin': { clientData: { origin: undefined } },
    'an origin that is a list': { clientData: { origin: [origin] } },
    'a frame of another origin': { clientData: { crossOrigin: true } },
    'a frame of another origin, which is named': {
      clientData: { crossOrigin: true, topOrigin: 'https://example.net' },
    },
    'a frame of this origin in another one': { clientData: { crossOrigin: true, topOrigin: origin } },
    'a frame, said by a text': { clientData: { crossOrigin: 'true' } },
    'an origin above, and no frame': { clientData: { topOrigin: 'https://example.net' } },
    'a type that is a list': { clientData: { type: ['webauthn.get'] } },
    'a payment': { type: 'payment.get' },
    'another origin last': last('origin', 'https://login.example.net'),
    'another type last': last('type', 'webauthn.create'),
    'another challenge last': last('challenge', randomBytes(32).toString('base64url')),
    'a byte order mark': { rewrite: (text) => `\ufeff${text}` },
    'two documents': { rewrite: (text) => text + text },
    'client data of 16,000 bytes': { clientData: { extra: 'x'.repeat(16_000) } },
    'client data of 30,000 bytes': { clientData: { extra: 'x'.repeat(30_000) } },
    'a byte behind the authenticator data': { behind: Buffer.from([0]) },
    'extensions without their flag': { behind: cbor(new Map([['credProps', 1]])) },
    'the flag of extensions, and none': { flags: 0x85 },
    'two extension maps': { flags: 0x85, behind: Buffer.from('a0a0', 'hex') },
    'extensions of 64 KiB': extensions(new Map([['large', Buffer.alloc(65_536)]])),
    'extensions that are a list': extensions([1]),
    'extensions a million deep, cut off': { flags: 0x85, behind: Buffer.alloc(9_000, 0xa1) },
    'the flag of a new credential, and none': { flags: 0x45 },
    'a backup of a key that cannot be copied': { flags: 0x15 },
  };
  // The library is loaded by the first one.
  t.equal(await signsIn(key), true);
  for (const [name, other] of Object.entries(hostile)) {
    const began = performance.now();
    t.equal(await signsIn(key, other), false, name);
    t.ok(performance.now() - began < 1_000, `${name}: in no time`);
  }
  t.equal(await signsIn(key), true);
});

t.test('a sign-in with what browsers and authenticators may add', async (t) => {
  const key = new SoftAuthenticator();
  const odd: Record<string, Otherwise> = {
    'members that nobody knows': { clientData: { extraData: { a: [1] } } },
    'no word about frames': { clientData: { crossOrigin: undefined } },
    // Level 3 reserves the name and checks nothing (section 5.8.1).
    'a token binding of a former browser': { clientData: { tokenBinding: { status: 'supported' } } },
    extensions: extensions(new Map([['uvm', 1]])),
    'extensions 1,000 deep': { flags: 0x85, behind: nested(1_000) },
    'reserved flags': { flags: 0x27 },
  };
  for (const [name, other] of Object.entries(odd)) t.equal(await signsIn(key, other), true, name);
  // RFC 8259 section 4 leaves open which of two members counts. Here it is always the last one.
  for (const [name, first] of Object.entries({
    origin: 'https://login.example.net',
    type: 'webauthn.create',
    challenge: 'AAAA',
    crossOrigin: true,
  }))
    t.equal(await signsIn(key, twice(name, first)), true, `two members ${name}`);
});

const keyOf = (...entries: (readonly [number, CborValue])[]) => ({ coseKey: coseMap(entries) });
const rsa = (modulus: Buffer, exponent: readonly number[]) =>
  keyOf([1, 3], [3, -257], [-1, modulus], [-2, Buffer.from(exponent)]);
const curve = (x: Buffer, y: Buffer, alg = -7, crv = 1) =>
  keyOf([1, 2], [3, alg], [-1, crv], [-2, x], [-3, y]);

/** Points of Ed25519 with a small order, with either sign of x, and texts of the same points beyond the prime (RFC 8032 section 5.1.3). */
const smallOrders = [
  `00${'00'.repeat(31)}`,
  `00${'00'.repeat(30)}80`,
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
].map((point) => Buffer.from(point, 'hex'));

t.test('OpenSSL takes a signature that anybody can make for a point of small order', async (t) => {
  const signature = Buffer.from(`01${'00'.repeat(63)}`, 'hex');
  const taken = smallOrders.filter((point) => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return Array.from({ length: 256 }, (_, text) => Buffer.from([text])).some((text) =>
      verify(null, text, key, signature),
    );
  });
  t.ok(taken.length >= 6, `${taken.length} of ${smallOrders.length}`);
});

t.test('a key whose signatures nobody could check, or anybody could make', async (t) => {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'jwk',
  });
  const [right, other] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const modulus = Buffer.alloc(256, 255);
  const hostile: Record<string, Otherwise> = {
    'no algorithm': keyOf([1, 2], [-1, 1], [-2, right], [-3, other]),
    'the algorithm 0': curve(right, other, 0),
    'an algorithm that is a text': keyOf([1, 2], [3, 'none'], [-1, 1], [-2, right], [-3, other]),
    RS1: keyOf([1, 3], [3, -65_535], [-1, modulus], [-2, Buffer.from([1, 0, 1])]),
    PS256: keyOf([1, 3], [3, -37], [-1, modulus], [-2, Buffer.from([1, 0, 1])]),
    ES256K: curve(right, other, -47, 8),
    'RSA of 16,384 bits': rsa(Buffer.alloc(2_048, 255), [1, 0, 1]),
    'RSA of 1,024 bits': rsa(Buffer.alloc(128, 255), [1, 0, 1]),
    'RSA of 1,024 bits with zeros before': rsa(
      Buffer.concat([Buffer.alloc(128), Buffer.alloc(128, 255)]),
      [1, 0, 1],
    ),
    'the exponent 1': rsa(modulus, [1]),
    'the exponent 1 with zeros before': rsa(modulus, [0, 0, 1]),
    'an even exponent': rsa(modulus, [2]),
    'a point that is not on the curve': curve(right, right),
    'the point 0': curve(Buffer.alloc(32), Buffer.alloc(32)),
    'a coordinate beyond the field': curve(Buffer.alloc(32, 255), other),
    'a compressed point': keyOf([1, 2], [3, -7], [-1, 1], [-2, Buffer.concat([Buffer.from([2]), right])]),
    Ed448: keyOf([1, 1], [3, -8], [-1, 7], [-2, Buffer.alloc(57, 1)]),
    ...Object.fromEntries(
      smallOrders.map((point) => [`Ed25519, ${point}`, keyOf([1, 1], [3, -8], [-1, 6], [-2, point])]),
    ),
    'a symmetric key': keyOf([1, 4], [3, 5], [-1, Buffer.alloc(32, 1)]),
  };
  for (const [name, other] of Object.entries(hostile))
    t.equal(await enrols(new SoftAuthenticator(), other), false, name);
});

t.test('an enrolment with extensions, and with bytes behind', async (t) => {
  const data = cbor(new Map([['credProtect', 2]]));
  t.equal(await enrols(new SoftAuthenticator(), { flags: 0xc5, behind: data }), true);
  for (const [name, other] of Object.entries({
    'bytes behind': { behind: Buffer.from([0]) },
    'a second key behind': { behind: new SoftAuthenticator().coseKey },
    'extensions of 64 KiB': { flags: 0xc5, behind: cbor(new Map([['large', Buffer.alloc(65_536)]])) },
    'a backup of a key that cannot be copied': { flags: 0x55 },
    'another origin': { origin: origin.replace(':8443', '') },
    'another RP ID': { rpId: 'example.com' },
    'the type of a sign-in': { type: 'webauthn.get' },
    'nobody present': { flags: 0x44 },
    'a byte order mark': { rewrite: (text: string) => `\ufeff${text}` },
    'an origin above, and no frame': { clientData: { topOrigin: 'https://example.net' } },
  } satisfies Record<string, Otherwise>))
    t.equal(await enrols(new SoftAuthenticator(), other), false, name);
});

t.test('a stored key of another algorithm or curve verifies nothing', async (t) => {
  const key = new SoftAuthenticator();
  const read = readAssertion(key.get({ challenge, rpId }, origin));
  if (read === undefined) throw new Error('The answer was not read');
  const verifies = async (coseKey: Buffer) =>
    (await verifyAssertion(read, { publicKey: coseKey.toString('base64url') }, party)) !== undefined;
  t.equal(await verifies(key.coseKey), true);
  // The map begins with {1: 2, 3: -7, -1: 1}.
  t.equal(key.coseKey.subarray(0, 7).toString('hex'), 'a5010203262001');
  for (const [name, at, value] of [
    ['another kind', 2, 0x01],
    ['another algorithm', 4, 0x27],
    ['another curve', 6, 0x08],
  ] as const) {
    const other = Buffer.from(key.coseKey);
    other[at] = value;
    t.equal(await verifies(other), false, name);
  }
  for (const coseKey of [Buffer.alloc(0), Buffer.from('a0', 'hex'), Buffer.alloc(9_000, 0x81)])
    t.equal(await verifies(coseKey), false, 'no key');
});

t.test('the identifier of a new credential', async (t) => {
  t.equal(await enrols(new SoftAuthenticator('ES256', randomBytes(1_023))), true);
  t.equal(await enrols(new SoftAuthenticator('ES256', randomBytes(1_024))), false, 'it is too long');
  t.equal(await enrols(new SoftAuthenticator('ES256', Buffer.alloc(0))), false, 'it is empty');
  const key = new SoftAuthenticator();
  const answer = JSON.parse(key.create({ challenge, rp: { id: rpId }, user: { id: 'AAAA' } }, origin));
  const read = readRegistration(JSON.stringify({ ...answer, id: 'AAAA', rawId: 'AAAA' }));
  t.equal(read && (await verifyRegistration(read, party)), undefined, 'it is that of the signed data');
});
