import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A value that {@link cbor} writes. */
export type CborValue =
  | number
  | string
  | Buffer
  | readonly CborValue[]
  | ReadonlyMap<number | string, CborValue>;

/** Writes CBOR (RFC 8949), as far as authenticators need it. */
export function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const pairs = [...value].flatMap(([name, one]) => [cbor(name), cbor(one)]);
    return Buffer.concat([head(5, value.size), ...pairs]);
  }
  const items = value as readonly CborValue[];
  return Buffer.concat([head(4, items.length), ...items.map(cbor)]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  if (length < 65_536) {
    const bytes = Buffer.alloc(3);
    bytes[0] = (major << 5) | 25;
    bytes.writeUInt16BE(length, 1);
    return bytes;
  }
  const bytes = Buffer.alloc(5);
  bytes[0] = (major << 5) | 26;
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

/** The options of a page, as its script gets them. */
export interface CeremonyOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly userVerification?: string;
}

/** What an answer says otherwise than it should. */
export interface Otherwise {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly userHandle?: string | undefined;
  /** Flags of the authenticator data (WebAuthn Level 3 section 6.1): UP 1, UV 4, BE 8, BS 16, AT 64, ED 128. */
  readonly flags?: number;
  readonly counter?: number;
  readonly id?: string;
  readonly fmt?: string;
  readonly attStmt?: CborValue;
  readonly signature?: Buffer;
  /** The COSE_Key of a new credential. */
  readonly coseKey?: Buffer;
  readonly aaguid?: Buffer;
  /** What the client data has besides, or otherwise. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** Writes the text of the client data anew. */
  readonly rewrite?: (clientData: string) => string;
  /** Bytes behind the authenticator data, such as those of extensions. */
  readonly behind?: Buffer;
}

/** An authenticator that is a program. It makes keys and signs as a real one does, or otherwise. */
export class SoftAuthenticator {
  readonly id: string;
  readonly #privateKey: KeyObject;
  readonly coseKey: Buffer;
  userHandle: string | undefined;
  readonly algorithm: 'ES256' | 'EdDSA' | 'RS256';
  counter = 0;

  constructor(algorithm: 'ES256' | 'EdDSA' | 'RS256' = 'ES256', id = randomBytes(16)) {
    this.algorithm = algorithm;
    this.id = id.toString('base64url');
    const { privateKey, coseKey } = newKey(algorithm);
    this.#privateKey = privateKey;
    this.coseKey = coseKey;
  }

  /** Answers `navigator.credentials.create`, as the script of a page sends it. */
  create(options: CeremonyOptions, origin: string, other: Otherwise = {}): string {
    const { id = this.id, fmt = 'none', attStmt = new Map<string, CborValue>() } = other;
    this.userHandle = options.user?.id;
    const credentialId = Buffer.from(id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const authData = Buffer.concat([
      authenticatorData(
        other.rpId ?? options.rp?.id ?? '',
        other.flags ?? 0x45,
        other.counter ?? this.counter,
      ),
      ...[other.aaguid ?? Buffer.alloc(16), length, credentialId, other.coseKey ?? this.coseKey],
      ...[other.behind ?? []].flat(),
    ]);
    const attestation = new Map<string, CborValue>([
      ['fmt', fmt],
      ['attStmt', attStmt],
      ['authData', authData],
    ]);
    return answer(id, {
      clientDataJSON: clientData('webauthn.create', options, origin, other),
      attestationObject: cbor(attestation),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Answers `navigator.credentials.get`. */
  get(options: CeremonyOptions, origin: string, other: Otherwise = {}): string {
    const { id = this.id } = other;
    const clientDataJSON = clientData('webauthn.get', options, origin, other);
    const counter = other.counter ?? this.counter;
    const data = Buffer.concat([
      authenticatorData(other.rpId ?? options.rpId ?? '', other.flags ?? 0x05, counter),
      ...[other.behind ?? []].flat(),
    ]);
    const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()]);
    const hash = this.algorithm === 'EdDSA' ? null : 'sha256';
    const userHandle = 'userHandle' in other ? other.userHandle : this.userHandle;
    return answer(id, {
      clientDataJSON,
      authenticatorData: data,
      signature: other.signature ?? sign(hash, signed, this.#privateKey),
      ...(userHandle !== undefined && { userHandle: Buffer.from(userHandle, 'base64url') }),
    });
  }
}

function newKey(algorithm: SoftAuthenticator['algorithm']): { privateKey: KeyObject; coseKey: Buffer } {
  if (algorithm === 'RS256') {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const { n = '', e = '' } = publicKey.export({ format: 'jwk' });
    return {
      privateKey,
      coseKey: coseMap([
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]),
    };
  }
  if (algorithm === 'EdDSA') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x = '' } = publicKey.export({ format: 'jwk' });
    return {
      privateKey,
      coseKey: coseMap([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(x)],
      ]),
    };
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return {
    privateKey,
    coseKey: coseMap([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  };
}

/** Writes a COSE_Key. */
export function coseMap(entries: readonly (readonly [number, CborValue])[]): Buffer {
  return cbor(new Map(entries));
}

const bytes = (text: string) => Buffer.from(text, 'base64url');

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags]), count]);
}

function clientData(type: string, options: CeremonyOptions, origin: string, other: Otherwise): Buffer {
  const text = JSON.stringify({
    type: other.type ?? type,
    challenge: other.challenge ?? options.challenge,
    origin: other.origin ?? origin,
    crossOrigin: other.crossOrigin ?? false,
    ...other.clientData,
  });
  return Buffer.from(other.rewrite?.(text) ?? text);
}

function answer(id: string, response: Record<string, Buffer | readonly string[]>): string {
  const parts = Object.entries(response).map(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value.toString('base64url') : value,
  ]);
  return JSON.stringify({ id, rawId: id, type: 'public-key', response: Object.fromEntries(parts) });
}

/** The options in the page of a ceremony. */
export function optionsIn(text: string, act: 'create' | 'get'): CeremonyOptions {
  const [, json = ''] = new RegExp(`name="response" value="([^"]*)" data-passkey="${act}"`).exec(text) ?? [];
  if (json === '') throw new Error(`The page has no options to ${act} a passkey: ${text.slice(0, 400)}`);
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
}
