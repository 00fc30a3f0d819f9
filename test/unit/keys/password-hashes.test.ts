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
  // The organization `one` has none. Others are named after theirs.
  pepperOf: async (orgId) => (orgId === 'one' ? undefined : orgId),
});
t.teardown(() => hasher.close());

for (const { source, password, hash, stored = hash, pepper } of hashExamples) {
  t.test(`${hash.slice(0, 40)} (${source})`, async (t) => {
    const reading = readPasswordHash(hash);
    if (typeof reading !== 'object') return t.fail(`${reading}`);
    t.equal(reading.text, stored);
    t.match(readPasswordHash(stored), { text: stored }, 'the stored form is read again');
    t.ok(reading.milliseconds > 0);
    const place = { purpose: 'sign-in', orgId: pepper ?? 'one' } as const;
    t.equal(await hasher.verify(hash, password, place), true);
    t.equal(await hasher.verify(stored, `${password}x`, place), false);
    t.equal(hasher.isOutdated(stored), true, 'a login replaces it');
    if (pepper === undefined) return;
    t.equal(stored.includes(pepper), false);
    for (const orgId of ['one', `${pepper}x`]) {
      t.equal(await hasher.verify(stored, password, { purpose: 'sign-in', orgId }), false, orgId);
    }
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
  for (const { password, hash, pepper } of hashExamples) {
    // The costs of most examples are low.
    if (/rounds=535000|^\$y\$j(9T|D5)/.test(hash)) continue;
    const reading = readPasswordHash(hash);
    if (typeof reading !== 'object') return t.fail(`${hash} ${reading}`);
    const { text, matches } = reading;
    const [, form = ''] = /^\$([^$]+)\$/.exec(text) ?? [];
    // The libraries of bcrypt and argon2 compare by themselves.
    const isOfBcrypt = /^2[aby]$|^bcrypt-sha256$|^wp$/.test(form) || /^bcrypt|^\$pepper.*\$2/.test(text);
    if (matches === undefined || isOfBcrypt) {
      others.add(form.replace(/^2.$/, 'bcrypt') || 'bcrypt_sha256');
      continue;
    }
    compared = [];
    t.equal(matches(password, pepper), false, `${hash.slice(0, 40)}: the comparison decides`);
    // Two kinds of digests, two orders of the salt, two costs, or the salt as the key, are both compared.
    const isTwofold =
      /^\$pbkdf2-sha(224|384)\$|^[0-9a-f]{32,64}:[^:]{4,10}$|^[0-9a-f]{32}:[0-9a-f]{128}$/.test(text) ||
      /^\$(md5|sha1)\$pf=e1NBTFR9e1BBU1NXT1JEfQ\$/.test(text) ||
      /^\w{4,10}\$[0-9a-f]{32,64}$|^[0-9a-f]{64}\$\w{4,10}$/.test(text);
    // And a digest in two orders beside scrypt.
    const isThreefold = /^[0-9a-f]{128}:[0-9a-f]{32}$/.test(text);
    t.equal(compared.length, isThreefold ? 6 : isTwofold ? 4 : 2);
    t.equal(new Set(compared).size, 1);
    const isOfDes = text.startsWith('{CRYPT}');
    t.ok((compared[0] ?? 0) >= (isOfDes ? 11 : 16), 'of the whole digest');
  }
  const peppered = ['pepper-hmac-sha256-base64', 'pepper-suffix'];
  const ofBcrypt = ['bcrypt', 'bcrypt-sha256', 'bcrypt_sha256', ...peppered, 'wp'];
  t.same([...others].sort(), ['argon2d', 'argon2i', 'argon2id', ...ofBcrypt]);
  t.end();
});

const salt = 'c29tZXNhbHRzb21lc2FsdA';
const key = 'MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI';
const keyAndSalt = Buffer.concat([key, salt].map((text) => Buffer.from(text, 'base64'))).toString('base64');
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

/** 389 Directory Server: iterations, salt and key. */
function dirsrv(iterations: number): string {
  const bytes = Buffer.alloc(324, 7);
  bytes.writeUInt32BE(iterations);
  return `{PBKDF2_SHA256}${bytes.toString('base64')}`;
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
    `$wp$2y$15$${bcrypt}`,
    `$pepper-suffix$2a$15$${bcrypt}`,
    `1|$2y$15$${bcrypt}`,
    dirsrv(500_000),
    `{PBKDF2-HMAC-SHA256}4000000:${keyAndSalt}`,
    `{PBKDF2}$1$salt$4000000$${'0'.repeat(40)}`,
    `pbkdf2:sha256:4000000$salt$${'0'.repeat(64)}`,
    `:pbkdf2:sha256:4000000:32:${salt}:${key}`,
    `:bcrypt:15$${bcrypt.slice(0, 22)}$${bcrypt.slice(22)}`,
    `$fbscrypt$v=1,n=17,r=8,p=8,ss=Bw==,sk=${key}$${salt}$${key}`,
    // Two kinds of digests are compared.
    `$pbkdf2-sha384$i=2000000,l=32$${salt}$${key}`,
    `scrypt:131072:8:8$salt$${'0'.repeat(128)}`,
    `{scrypt}$110808$${salt}$${key}`,
    `$firebasescrypt$ln=17,r=8$${firebase}`,
    ...['j/.', 'j9T', 'jCT', 'jE5'].map((cost) => `$y$${cost}$abcdefgh$${'.'.repeat(43)}`),
    `$7$DU..../....salt$${'.'.repeat(43)}`,
    ...[1, 1_000_000].map((rounds) => `$symfony-sha512$i=${rounds}$${salt}$${'0'.repeat(128)}`),
    `{SCRAM-SHA-256}4000000,${salt},${key},${key}`,
    '{CRYPT}_Us2.CCCCXBrJUJV154M',
    `$argon2id$v=19$p=16,t=20,m=262144,keyid=a2V5LTE,data=${'A'.repeat(43)}$${salt}$${key}`,
    // Clerk
    `$2a$15$${bcrypt}$pepper`,
    `pbkdf2_sha1$2000000$c0ffee$${'0'.repeat(64)}$32`,
    `pbkdf2_sha512$4000000$salt$${'0'.repeat(128)}`,
    `pbkdf2_sha512_hex$4000000$c0ffee$${'0'.repeat(128)}`,
    `${key}$${salt}$${key}$Bw$8$17`,
    `sha512_symfony$1000000$salt$${Buffer.alloc(64).toString('base64')}`,
    // crypto.scrypt of Node.js
    ...[16, 32, 64].flatMap((digits) =>
      ['.', ':'].map((between) => `${'0'.repeat(digits)}${between}${'0'.repeat(128)}`),
    ),
    ...[16, 32].flatMap((digits) =>
      ['.', ':'].map((between) => `${'0'.repeat(64)}${between}${'0'.repeat(digits)}`),
    ),
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
  tooMuch.push(
    // Small blocks and many lanes need memory too.
    `$scrypt$ln=1,r=9999,p=419$${salt}$${key}`,
    `$7$/zzzz/zzz/./salt$${'.'.repeat(43)}`,
    `$7$/..../.zzzz.salt$${'.'.repeat(43)}`,
    `$wp$2y$16$${bcrypt}`,
    `$pepper-suffix$2a$31$${bcrypt}`,
    `1|$2y$31$${bcrypt}`,
    dirsrv(500_001),
    dirsrv(2 ** 32 - 1),
    dirsrv(0),
    `{PBKDF2-HMAC-SHA256}999999999:${keyAndSalt}`,
    `{PBKDF2}$1$salt$999999999$${'0'.repeat(40)}`,
    `pbkdf2:sha256:999999999$salt$${'0'.repeat(64)}`,
    `:pbkdf2:sha256:4000001:32:${salt}:${key}`,
    `:bcrypt:31$${bcrypt.slice(0, 22)}$${bcrypt.slice(22)}`,
    `:argon2:$argon2id$v=19$m=262145,t=1,p=1$${salt}$${key}`,
    `$fbscrypt$v=1,n=18,r=8,p=1,ss=Bw==,sk=${key}$${salt}$${key}`,
    `$pbkdf2-sha384$i=2000001,l=32$${salt}$${key}`,
    `scrypt:4194304:8:1$salt$${'0'.repeat(128)}`,
    `{scrypt}$ffffff$${salt}$${key}`,
    `$firebasescrypt$ln=18,r=8$${firebase}`,
    // 256 MiB, 1 GiB, and 64 MiB with rounds without end.
    ...['jDT', 'jFT', 'jBT/zzzzzz', `j${'z'.repeat(12)}`, 'j9T.zzzzzz'].map(
      (cost) => `$y$${cost}$abcdefgh$${'.'.repeat(43)}`,
    ),
    `$y$.${'z'.repeat(12)}$abcdefgh$${'.'.repeat(43)}`,
    `$7$zU..../....salt$${'.'.repeat(43)}`,
    `$7$CU....zzzzzsalt$${'.'.repeat(43)}`,
    ...[0, 1_000_001, 999_999_999].map((rounds) => `$symfony-sha512$i=${rounds}$${salt}$${'0'.repeat(128)}`),
    `{SCRAM-SHA-256}999999999,${salt},${key},${key}`,
    `SCRAM-SHA-256$0:c2FsdA==$${key}:${key}`,
    '{CRYPT}_zzzzCCCCXBrJUJV154M',
    '{CRYPT}_....CCCCXBrJUJV154M',
    `$argon2id$v=19$t=1,m=262145,p=1$${salt}$${key}`,
    `2|$argon2i$v=19$m=9999999,t=1,p=1$${salt}$${key}`,
    `$2a$31$${bcrypt}$pepper`,
    `pbkdf2_sha1$2000001$c0ffee$${'0'.repeat(64)}`,
    `pbkdf2_sha512$4000001$salt$${'0'.repeat(128)}`,
    `pbkdf2_sha512$999999$salt$${'0'.repeat(1_024)}`,
    `${key}$${salt}$${key}$Bw$8$18`,
    `${key}$${salt}$${key}$Bw$9999$14`,
    `sha512_symfony$1000001$salt$${Buffer.alloc(64).toString('base64')}`,
  );
  for (const text of tooMuch) t.equal(readPasswordHash(text), 'costOutOfBounds', text);
  const unreadable = [
    '',
    'x',
    // Clerk: no hash, a key of another length than its number, a salt that is not hexadecimal, other parts of Firebase.
    'awscognito#pool#client#mona',
    `$2a$10$${bcrypt}$`,
    `pbkdf2_sha1$1000$c0ffee$${'0'.repeat(64)}$20`,
    `pbkdf2_sha512$1000$salt$${'0'.repeat(128)}$64`,
    `pbkdf2_sha512_hex$1000$salt$${'0'.repeat(128)}`,
    `${key}$${salt}$${salt}$Bw$8$14`,
    `sha512_symfony$5000$salt$${key}`,
    `$${'0'.repeat(32)}`,
    `salt$${'0'.repeat(40)}`,
    `${'s'.repeat(129)}$${'0'.repeat(32)}`,
    // Two parts of one length, of which either may be the key.
    `${'0'.repeat(64)}.${'0'.repeat(64)}`,
    `${'0'.repeat(128)}.${'0'.repeat(128)}`,
    `${'0'.repeat(128)}.${'0'.repeat(24)}`,
    'Correct-Horse-7',
    ` $2b$10$${bcrypt}`,
    `$2b$10$${bcrypt}=`,
    `$2b$10$${bcrypt}\n`,
    `$2x$10$${bcrypt}`,
    `$2b$10$${bcrypt.slice(1)}`,
    `{CRYPT}{CRYPT}$2b$10$${bcrypt}`,
    `$argon2id$v=18$m=65536,t=1,p=1$${salt}$${key}`,
    ...[
      'm=65536,t=1',
      'm=65536,t=1,t=1,p=1',
      'm=65536,t=1,p=1,x=1',
      'm=65536,t=1,p=1,',
      'm=65536,t=1,p=1,keyid=',
    ].map((parameters) => `$argon2id$v=19$${parameters}$${salt}$${key}`),
    `$argon2id$v=19$m=65536,t=1,p=1,data=${'A'.repeat(44)}$${salt}$${key}`,
    `$wp$2y$10$${bcrypt.slice(1)}`,
    `$wp$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0`,
    `{PBKDF2_SHA256}${'A'.repeat(400)}`,
    `{PBKDF2_SHA256}${'A'.repeat(436)}`,
    ...[
      '',
      '$',
      'j9T$',
      'j9T$abcdefgh',
      `j9T$abcdefgh$${'.'.repeat(42)}`,
      `j9$abcdefgh$${'.'.repeat(43)}`,
    ].map((end) => `$y$${end}`),
    // A flavor, a hash upgrade, a ROM, an unclean salt and one lane too much.
    ...['k9T$abcdefgh', 'j9T2.$abcdefgh', 'j9T6.$abcdefgh', 'j9T$abcdefgz.', 'j.T.z$abcdefgh'].map(
      (start) => `$y$${start}$${'.'.repeat(43)}`,
    ),
    `pbkdf2:md5:1000$salt$${'0'.repeat(64)}`,
    // Keys that are not of the length of the digest would fit no password.
    `pbkdf2_sha256$1000$salt$${key.slice(0, 40)}`,
    `pbkdf2_sha1$1000$salt$${key}`,
    `:pbkdf2:sha256:1000:64:${salt}:${key}`,
    `:pbkdf2:whirlpool:1000:32:${salt}:${key}`,
    `:pbkdf2-legacyB:!sha256:1000:32!${salt}!${key}`,
    `:bcrypt:10$${bcrypt}`,
    `:B:${'0'.repeat(32)}`,
    `:B:salt:${'0'.repeat(31)}`,
    ':A:salt',
    ':argon2::argon2:x',
    `$fbscrypt$v=2,n=14,r=8,p=1,ss=Bw==,sk=${key}$${salt}$${key}`,
    `$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=${key}$${salt}$${salt}`,
    `${'0'.repeat(127)}.${'0'.repeat(32)}`,
    `pbkdf2:sha256:1000$$${'0'.repeat(64)}`,
    `pbkdf2:sha256:1000$salt$${'0'.repeat(63)}`,
    `scrypt:1000:8:1$salt$${'0'.repeat(64)}`,
    `{pbkdf2}${'0'.repeat(78)}`,
    `{pbkdf2}${'0'.repeat(96)}`,
    `{pbkdf2@SpringSecurity_v5_8}${'0'.repeat(80)}`,
    `{pbkdf2@SpringSecurity_v9_9}${'0'.repeat(80)}`,
    `{sha256}${'0'.repeat(78)}`,
    `{scrypt}$e080$${salt}$${key}`,
    `{SHA-1}{salt}${'0'.repeat(32)}`,
    `{ldap}{ldap}{SHA}qZk+NkcGgWq6PiVxeFDCbJzQ2J0=`,
    '{noop}Correct-Horse-7',
    ...[31, 33, 63, 127, 129].map((length) => '0'.repeat(length)),
    `${'0'.repeat(32)}:`,
    `${'0'.repeat(32)}:a:b`,
    `${'0'.repeat(33)}:salt`,
    `${'0'.repeat(32)}:${'s'.repeat(129)}`,
    `g${'0'.repeat(31)}`,
    '$md5salted-middle$c2FsdA==$R58+SD/95ORa9VZ9BPS5FA==',
    '$md5salted-suffix$$R58+SD/95ORa9VZ9BPS5FA==',
    '$md5salted-suffix$c2FsdA==$R58+SD',
    `4|$2y$10$${bcrypt}`,
    `1|${bcrypt}`,
    `{PKCS5S2}${'A'.repeat(60)}`,
    `{PKCS5S2}${'A'.repeat(68)}`,
    `{PBKDF2-HMAC-SHA256}1000:${key}`,
    '{PBKDF2-HMAC-MD5}1000:AAAA',
    '{PBKDF2}$2$salt$5000$50a83cafdc517b9f46519415e53c6a858908680a',
    `{SCRAM-SHA-256}4096,${salt},${key}`,
    `{SCRAM-SHA-256}4096,${salt},${salt},${key}`,
    '{CRAM-MD5}e02d374fde0dc75a17a557039a3a5338c7743304777dccd376f332bee68d2cf',
    '{DIGEST-MD5}77c1a8c437c9b08ba2f460fe5d58db5d',
    '{LANMAN}01fc5a6be7bc6929aad3b435b51404ee',
    '{DES-CRYPT}saykDgk3BPZ9',
    'CorrectHorse7',
    'ccX.K.MFy4Oi!',
    // The last character has 4 bits, and its letter case counts.
    '{crypt}CCX.K.MFy4OiS',
    '{CRYPT}CCX.K.MFy4Oie',
    `sha256$$${'0'.repeat(64)}`,
    `sha256$salt$${'0'.repeat(62)}`,
    '$apr1$toolongsalt$HqJZimcKQFAMYayBlzkrA/',
    `$symfony-sha512$i=5000$${salt}$${'0'.repeat(64)}`,
    `$symfony-sha512$i=$${salt}$${'0'.repeat(128)}`,
    `$pepper-suffix$pepper-suffix$2a$10$${bcrypt}`,
    `$pepper-other$2a$10$${bcrypt}`,
    '$pepper-suffix{SHA}qZk+NkcGgWq6PiVxeFDCbJzQ2J0=',
    '{"$crypto":{"type":"x-simple-encryption","value":{"algorithm":"SHA-256","data":"AAAA"}}}',
    '{"$crypto":{"type":"salted-hash","value":{"algorithm":"SHA-256","data":"AAAA"}}}',
    '{"$crypto":',
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
    '$y$j',
    '$pepper-suffix',
    '{PBKDF2_SHA256}',
    '{"$crypto":',
    '{SCRAM-SHA-256}1,',
    'pbkdf2:sha256:1$',
    `${'0'.repeat(32)}:`,
  ];
  const begun = processorTime();
  for (const start of starts) for (const text of long) readPasswordHash((start + text).slice(0, 2_000));
  t.ok(processorTime() - begun < 500, 'a few milliseconds each');
});
