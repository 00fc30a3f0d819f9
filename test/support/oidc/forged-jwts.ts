import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { JWK } from 'jose';

/** A key pair, and the header by which its owner names it. */
export interface Signer {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
}

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signs a JWT with any header. The key decides how, whatever algorithm the header names. */
export function signJwt(
  privateKey: KeyObject,
  header: object,
  claims: object,
  dsaEncoding: 'ieee-p1363' | 'der' = 'ieee-p1363',
): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const hash = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return `${input}.${sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding }).toString('base64url')}`;
}

/** Pairs of somebody else, one of each kind. */
const strangers = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ES256K: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const;

/** The curve order of P-256. */
const order = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex');

/**
 * JWTs that the signer did not make, or made with a header that nobody may accept, by the name of the attack. None of them may count.
 * @param claims makes claims that count with an honest signature, new ones for each JWT
 * @param options `otherKids`: names of keys that the attacker has registered for something else. `typ`: the type in each header
 */
export function forgedJwts(
  signer: Signer,
  claims: () => object,
  { otherKids = [], typ }: { readonly otherKids?: readonly string[]; readonly typ?: string } = {},
): Record<string, string> {
  const { alg, kid, privateKey } = signer;
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const honest = (header: object) => signJwt(privateKey, { typ, alg, kid, ...header }, claims());
  const withSignature = (header: object, signature: Buffer | string) =>
    `${encode({ typ, ...header })}.${encode(claims())}.${Buffer.from(signature).toString('base64url')}`;
  const forged: Record<string, string> = {};

  const der = publicKey.export({ type: 'spki', format: 'der' });
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const coordinates = [jwk.x ?? jwk.n, jwk.y ?? jwk.e].map((part) => Buffer.from(part ?? '', 'base64url'));
  const secrets = {
    jwk: JSON.stringify(jwk),
    pem,
    trimmed: pem.trim(),
    der,
    x: coordinates[0] ?? '',
    point: Buffer.concat(coordinates),
    kid,
    nothing: '',
  };
  for (const [name, secret] of Object.entries(secrets)) {
    for (const [hmac, hash] of [
      ['HS256', 'sha256'],
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      const input = `${encode({ typ, alg: hmac, kid })}.${encode(claims())}`;
      forged[`${hmac} with the public key as ${name}`] =
        `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
    }
  }

  for (const none of ['none', 'None', 'NONE', 'nOnE', '', null, undefined, 0, [alg], { alg }]) {
    const name = JSON.stringify(none);
    forged[`alg ${name} without a signature`] = withSignature({ alg: none, kid }, '');
    forged[`alg ${name} with a signature`] = honest({ alg: none });
  }

  const wrong = [
    'RS256',
    'RS512',
    'PS256',
    'ES256',
    'ES384',
    'ES512',
    'ES256K',
    'EdDSA',
    'Ed25519',
    'Ed448',
    'HS256',
    'dir',
    `${alg} `,
    alg.toLowerCase(),
  ];
  for (const other of wrong.filter((one) => one !== alg))
    forged[`the right key under ${other}`] = honest({ alg: other });

  for (const [name, { privateKey: theirs, publicKey: theirPublic }] of Object.entries(strangers)) {
    const theirJwk = { ...theirPublic.export({ format: 'jwk' }), kid };
    const certificate = theirPublic.export({ type: 'spki', format: 'der' }).toString('base64');
    const by = (header: object) => signJwt(theirs, { typ, alg: name, kid, ...header }, claims());
    forged[`${name} of a stranger`] = by({});
    forged[`${name} of a stranger under ${alg}`] = by({ alg });
    forged[`${name} of a stranger without a kid`] = by({ kid: undefined });
    forged[`${name} of a stranger, jwk`] = by({ jwk: theirJwk });
    forged[`${name} of a stranger, jwk without a kid`] = by({ kid: undefined, jwk: theirJwk });
    forged[`${name} of a stranger, jku`] = by({ jku: 'https://127.0.0.1:9/keys' });
    forged[`${name} of a stranger, x5u`] = by({ x5u: 'https://127.0.0.1:9/chain' });
    forged[`${name} of a stranger, x5c`] = by({ x5c: [certificate], 'x5t#S256': 'AAAA' });
    for (const otherKid of otherKids)
      forged[`${name} of a stranger, kid ${otherKid}`] = by({ kid: otherKid });
  }
  for (const otherKid of otherKids)
    forged[`the right key under the kid ${otherKid}`] = honest({ kid: otherKid });

  const zeros = Buffer.alloc(64);
  const one = Buffer.concat([Buffer.alloc(31), Buffer.from([1])]);
  const signatures = {
    zeros,
    'r = n, s = n': Buffer.concat([order, order]),
    'r = 1, s = 1': Buffer.concat([one, one]),
    'r = 0, s = 1': Buffer.concat([Buffer.alloc(32), one]),
    'the DER form of zeros': Buffer.from('3006020100020100', 'hex'),
    'the identity of Ed25519': Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]),
    short: zeros.subarray(0, 63),
    long: Buffer.alloc(65),
  };
  for (const [name, signature] of Object.entries(signatures))
    forged[`a signature of ${name}`] = withSignature({ alg, kid }, signature);
  if (privateKey.asymmetricKeyType === 'ec')
    forged['a signature in DER'] = signJwt(privateKey, { typ, alg, kid }, claims(), 'der');

  for (const [name, header] of Object.entries({
    'b64 of false': { b64: false, crit: ['b64'] },
    'an unknown critical header': { crit: ['x'], x: 1 },
    'a critical header that is absent': { crit: ['exp'] },
    'crit that is empty': { crit: [] },
    'crit that is no list': { crit: 'exp' },
  }))
    forged[name] = honest(header);
  for (const odd of [
    1,
    null,
    [kid],
    { kid },
    `${kid}x`,
    '__proto__',
    'constructor',
    '../keys',
    `${kid}\u0000`,
  ])
    forged[`kid ${JSON.stringify(odd)}`] = honest({ kid: odd });

  const [header = '', payload = '', signature = ''] = honest({}).split('.');
  const [, others = ''] = honest({}).split('.');
  Object.assign(forged, {
    'the claims of another JWT': `${header}.${others.slice(0, -1)}${others.endsWith('A') ? 'B' : 'A'}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'no part for the signature': `${header}.${payload}`,
    'no claims': `${header}..${signature}`,
    'a part more': `${header}.${payload}.${signature}.${signature}`,
    'the form of JWE': `${header}.${payload}.${payload}.${payload}.${signature}`,
    'the JSON form': JSON.stringify({ protected: header, payload, signature }),
    'a header that is no object': `${encode('x')}.${payload}.${signature}`,
    'a header of null': `${encode(null)}.${payload}.${signature}`,
  });
  return forged;
}
