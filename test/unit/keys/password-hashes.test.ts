import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import t from 'tap';
import { createPasswordHasher } from '#src/keys/password-hasher.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { hashExamples } from '../../support/keys/hash-examples.js';
import { testThreads } from '../../support/keys/test-threads.js';
import { processorTime } from '../../support/processor-time.js';

/** Hashes of other systems: each form with hashes that its owner published. */

const hasher = createPasswordHasher({
  memoryKib: 8,
  passes: 1,
  concurrency: 2,
  threads: testThreads({ concurrency: 2, queue: 500 }),
});
const place = { purpose: 'sign-in', orgId: 'one' } as const;
t.teardown(() => hasher.close());

for (const { source, password, hash, stored = hash } of hashExamples) {
  t.test(`${hash.slice(0, 40)} (${source})`, async (t) => {
    const reading = readPasswordHash(hash);
    if (typeof reading !== 'object') return t.fail(`${reading}`);
    t.equal(reading.text, stored);
    t.match(readPasswordHash(stored), { text: stored }, 'the stored form is read again');
    t.ok(reading.milliseconds > 0);
    t.equal(await hasher.verify(hash, password, place), true);
    t.equal(await hasher.verify(stored, `${password}x`, place), false);
    t.equal(hasher.isOutdated(stored), true, 'a login replaces it');
  });
}

t.test('digests are compared in constant time', (t) => {
  const { timingSafeEqual } = crypto;
  /** The lengths of what is compared. The comparison says that every password is a wrong one. */
  let compared: number[] = [];
  crypto.timingSafeEqual = (one, other) => {
    compared.push(one.byteLength, other.byteLength);
    return false;
  };
  syncBuiltinESMExports();
  t.teardown(() => {
    crypto.timingSafeEqual = timingSafeEqual;
    syncBuiltinESMExports();
  });
  const others = new Set<string>();
  for (const { password, hash } of hashExamples) {
    // The costs of most examples are low.
    if (hash.includes('rounds=535000')) continue;
    const reading = readPasswordHash(hash);
    if (typeof reading !== 'object') return t.fail(`${hash} ${reading}`);
    const { text, matches } = reading;
    const [, form = ''] = /^\$([^$]+)\$/.exec(text) ?? [];
    // The libraries of bcrypt and argon2 compare by themselves.
    if (matches === undefined || /^2[aby]$|^bcrypt-sha256$/.test(form) || text.startsWith('bcrypt')) {
      others.add(form.replace(/^2.$/, 'bcrypt') || 'bcrypt_sha256');
      continue;
    }
    compared = [];
    t.equal(matches(password), false, `${hash.slice(0, 40)}: the comparison decides`);
    t.equal(compared.length, 2, 'once');
    t.equal(compared[0], compared[1]);
    t.ok((compared[0] ?? 0) >= 16, 'of the whole digest');
  }
  t.same([...others].sort(), ['argon2d', 'argon2i', 'argon2id', 'bcrypt', 'bcrypt-sha256', 'bcrypt_sha256']);
  t.end();
});

const salt = 'c29tZXNhbHRzb21lc2FsdA';
const key = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI';
const bcrypt = 'N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
const firebase = `${salt}$${key}$Bw$${key}`;
const sha256Crypt = 'IbG0EuGQXw5EkMdP$LQ5AfPf13KufFsKtmazqnzSGZ4pxtUNw3woQ.ELRDF4';
const sha512Crypt = `saltstring$${'a'.repeat(86)}`;

/** ASP.NET Identity version 3 with HMAC-SHA256. */
function aspNet(iterations: number): string {
  const start = Buffer.alloc(13);
  start.writeUInt8(1, 0);
  start.writeUInt32BE(1, 1);
  start.writeUInt32BE(iterations, 5);
  start.writeUInt32BE(16, 9);
  return Buffer.concat([start, Buffer.alloc(48, 7)]).toString('base64');
}

function keycloak(algorithm: string, hashIterations: number, memory = 7_168): string {
  const additionalParameters = { memory: [`${memory}`], type: ['id'], version: ['1.3'], parallelism: ['1'] };
  return JSON.stringify({
    credentialData: JSON.stringify({ algorithm, hashIterations, additionalParameters }),
    secretData: JSON.stringify({ value: key, salt }),
  });
}

t.test('the most and the least cost within the bounds is taken', async (t) => {
  const affordable = [
    `$2b$04$${bcrypt}`,
    `$2b$15$${bcrypt}`,
    `{CRYPT}$2b$15$${bcrypt}`,
    `bcrypt_sha256$$2b$15$${bcrypt}`,
    '$bcrypt-sha256$v=2,t=2b,r=15$5Hg1DKFqPE8C2aflZ5vVoe$wOK1VFFtS8IGTrGa7.h5fs0u84qyPbS',
    ...['m=262144,t=20,p=16', 'm=8,t=1,p=1', 'm=128,t=1,p=16'].flatMap((cost) =>
      ['$argon2id', '{ARGON2}$argon2id', 'argon2$argon2id'].map(
        (start) => `${start}$v=19$${cost}$${salt}$${key}`,
      ),
    ),
    ...['ln=17,r=8,p=8', 'ln=14,r=64,p=8', 'ln=1,r=1,p=1'].map((cost) => `$scrypt$${cost}$${salt}$${key}`),
    `scrypt$131072$salt$8$8$${key}`,
    `$firescrypt$ln=17,r=8,p=8$${firebase}`,
    `$pbkdf2-sha256$i=4000000,l=32$${salt}$${key}`,
    `$pbkdf2-sha1$i=2000000,l=32$${salt}$${key}`,
    `$pbkdf2-sha256$i=1,l=32$${salt}$${key}`,
    `{PBKDF2-SHA256}4000000$${salt}$${key}`,
    `pbkdf2_sha256$4000000$salt$${key}`,
    aspNet(4_000_000),
    keycloak('argon2', 20, 262_144),
    keycloak('pbkdf2-sha256', 4_000_000),
    ...[1_000, 1_000_000].flatMap((rounds) => [
      `$5$rounds=${rounds}$${sha256Crypt}`,
      `$6$rounds=${rounds}$${sha512Crypt}`,
    ]),
    ...['5', 'I'].flatMap((rounds) => [
      `$P$${rounds}IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0`,
      `$S$${rounds}33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf`,
    ]),
    ...[1, 1_000_000].flatMap((rounds) => [
      `$salted-sha256$i=${rounds}$${salt}$${key}`,
      `$salted-md5$i=${rounds}$${salt}$8PhwWanVRnpJAFK4NUjR0w`,
    ]),
  ];
  for (const text of affordable) t.type(readPasswordHash(text), 'object', text);
});

t.test('a cost out of bounds is told apart from what nobody can read', async (t) => {
  const tooMuch = [
    `$2b$03$${bcrypt}`,
    `$2b$16$${bcrypt}`,
    `$2b$31$${bcrypt}`,
    `$2b$99$${bcrypt}`,
    '$bcrypt-sha256$v=2,t=2b,r=16$5Hg1DKFqPE8C2aflZ5vVoe$wOK1VFFtS8IGTrGa7.h5fs0u84qyPbS',
    `bcrypt$$2b$31$${bcrypt}`,
    `bcrypt_sha256$$2b$31$${bcrypt}`,
    `{CRYPT}$2b$31$${bcrypt}`,
    ...['m=262145,t=1,p=1', 'm=65536,t=21,p=1', 'm=65536,t=1,p=17', 'm=7,t=1,p=1', 'm=16,t=1,p=4'].map(
      (cost) => `$argon2id$v=19$${cost}$${salt}$${key}`,
    ),
    ...[
      'ln=15,r=64,p=1',
      'ln=18,r=8,p=1',
      'ln=14,r=8,p=128',
      'ln=63,r=1,p=1',
      'ln=0,r=1,p=1',
      'ln=4,r=0,p=1',
    ].map((cost) => `$scrypt$${cost}$${salt}$${key}`),
    `scrypt$4194304$salt$8$1$${key}`,
    `$firescrypt$ln=30,r=8,p=1$${firebase}`,
    `$firescrypt$ln=18,r=8,p=1$${firebase}`,
    `{ARGON2}$argon2id$v=19$m=262145,t=1,p=1$${salt}$${key}`,
    `argon2$argon2id$v=19$m=262145,t=1,p=1$${salt}$${key}`,
    `$pbkdf2-sha256$i=4000001,l=32$${salt}$${key}`,
    `$pbkdf2-sha1$i=2000001,l=32$${salt}$${key}`,
    `$pbkdf2-sha256$i=0,l=32$${salt}$${key}`,
    `pbkdf2_sha256$999999999$salt$${key}`,
    `{PBKDF2-SHA256}999999999$${salt}$${key}`,
    aspNet(4_000_001),
    aspNet(2 ** 32 - 1),
    keycloak('argon2', 5, 9_999_999),
    keycloak('argon2', 21),
    keycloak('pbkdf2-sha256', 900_000_000),
    ...[999, 1_000_001].flatMap((rounds) => [
      `$5$rounds=${rounds}$${sha256Crypt}`,
      `$6$rounds=${rounds}$${sha512Crypt}`,
    ]),
    '$P$JIQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
    '$S$J33783772bRXEx1aCsvY.dqgaaSu76XmVlKrW9Qu8IQlvxHlmzLf',
    ...[0, 1_000_001, 2 ** 31 - 1].flatMap((rounds) => [
      `$salted-sha256$i=${rounds}$${salt}$${key}`,
      `$salted-md5$i=${rounds}$${salt}$8PhwWanVRnpJAFK4NUjR0w`,
    ]),
  ];
  for (const text of tooMuch) t.equal(readPasswordHash(text), 'costOutOfBounds', text);
  const unreadable = [
    '',
    'x',
    'Correct-Horse-7',
    ` $2b$10$${bcrypt}`,
    `$2b$10$${bcrypt}=`,
    `$2b$10$${bcrypt}\n`,
    `$2x$10$${bcrypt}`,
    `$2b$10$${bcrypt.slice(1)}`,
    `{CRYPT}{CRYPT}$2b$10$${bcrypt}`,
    '{CRYPT}saykDgk3BPZ9E',
    `$argon2id$v=18$m=65536,t=1,p=1$${salt}$${key}`,
    `$argon2id$v=19$t=1,m=65536,p=1$${salt}$${key}`,
    `$pbkdf2-sha256$i=1000,l=31$${salt}$${key}`,
    `$pbkdf2-md5$1000$${salt}$${key}`,
    `$pbkdf2-sha256$1000$${salt}$MTIz`,
    `$scrypt$ln=1000,r=8,p=1$${salt}$${key}`,
    `$firescrypt$ln=14,r=8,p=1$${salt}$${key}$Bw$Bw`,
    '$md5$pf=e1NBTFR9$MTIz$8PhwWanVRnpJAFK4NUjR0w',
    '$md5$pf=e1BBU1NXT1JEfXtQQVNTV09SRH0$MTIz$8PhwWanVRnpJAFK4NUjR0w',
    `$md5$pf=${Buffer.from(`{PASSWORD}${'x'.repeat(300)}`).toString('base64')}$MTIz$8PhwWanVRnpJAFK4NUjR0w`,
    '$md5$8PhwWanVRnpJAFK4NUjR0w$',
    '$hmac-sha256$5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843$',
    ...['', 'i=', 'i=-1', 'i=1.5', 'i=1e3', 'i=99999999999'].map(
      (rounds) => `$salted-sha256$${rounds}$${salt}$${key}`,
    ),
    `$salted-sha256$i=20000$${salt}$8PhwWanVRnpJAFK4NUjR0w`,
    `$salted-md5$i=20000$${salt}$${key}`,
    `$salted-sha256$i=20000$sa lt$${key}`,
    `$salted-sha256$i=20000$${'A'.repeat(700)}$${key}`,
    `$salted-sha512$i=20000$${salt}$${key}`,
    '{SSHA}tooshort',
    '{SHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a',
    'AQAAAAEAACcQAAD//wABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
    'AQAAAAcAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw==',
    '{"algorithm":"pbkdf2-sha256"}',
    '{"a',
    '{"hashedSaltedValue":1,"algorithm":"argon2","salt":[]}',
    `$md5$${'A'.repeat(3_000)}`,
  ];
  for (const text of unreadable)
    t.equal(readPasswordHash(text), undefined, JSON.stringify(text.slice(0, 90)));
});

t.test('no text takes long to read', async (t) => {
  const long = ['$', 'A', '{"a":', '$pbkdf2-sha256$', '=', 'e1BB', '[', '{CRYPT}'].map((part) =>
    part.repeat(Math.floor(2_000 / part.length)),
  );
  const starts = [
    '',
    '$argon2id$v=19$m=8,t=1,p=1$',
    '$md5$pf=',
    '$scrypt$ln=14,r=8,p=1$',
    '{SSHA}',
    '$salted-md5$i=2$',
    '$6$',
    'AQAA',
  ];
  const begun = processorTime();
  for (const start of starts) for (const text of long) readPasswordHash((start + text).slice(0, 2_000));
  t.ok(processorTime() - begun < 500, 'a few milliseconds each');
});
