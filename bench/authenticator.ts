import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What a page asks of an authenticator. */
interface Asked {
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
}

/** An authenticator that is a program, with one ES256 key. It says that it verified the person (WebAuthn Level 3 section 6.1). */
export class BenchAuthenticator {
  readonly id = randomBytes(32);
  readonly userHandle = randomBytes(32).toString('base64url');
  readonly #key: KeyObject;
  readonly #coseKey: Buffer;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#key = privateKey;
    // A COSE_Key of this kind always has this form (RFC 9053 section 7.1.1).
    this.#coseKey = Buffer.concat([
      ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
      ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
    ]);
  }

  /** Answers `navigator.credentials.create`, without an attestation. */
  create({ challenge, rpId, origin }: Asked): string {
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 32]), this.id, this.#coseKey]);
    const authData = Buffer.concat([authenticatorData(rpId, 0x45), credential]);
    // The map {"fmt": "none", "attStmt": {}, "authData": 164 bytes}.
    const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158a4', 'hex');
    return this.#answer({
      clientDataJSON: clientData('create', { challenge, origin }),
      attestationObject: Buffer.concat([head, authData]),
    });
  }

  /** Answers `navigator.credentials.get`. */
  get({ challenge, rpId, origin }: Asked): string {
    const clientDataJSON = clientData('get', { challenge, origin });
    const data = authenticatorData(rpId, 0x05);
    const signed = Buffer.concat([data, createHash('sha256').update(clientDataJSON).digest()]);
    return this.#answer({
      clientDataJSON,
      authenticatorData: data,
      signature: sign('sha256', signed, this.#key),
      userHandle: Buffer.from(this.userHandle, 'base64url'),
    });
  }

  #answer(parts: Readonly<Record<string, Buffer>>): string {
    const id = this.id.toString('base64url');
    const response = Object.fromEntries(
      Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    );
    return JSON.stringify({ id, rawId: id, type: 'public-key', response });
  }
}

/** The counter stays 0, as that of a synced passkey does. */
function authenticatorData(rpId: string, flags: number): Buffer {
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags, 0, 0, 0, 0])]);
}

function clientData(
  type: 'create' | 'get',
  { challenge, origin }: Pick<Asked, 'challenge' | 'origin'>,
): Buffer {
  return Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }));
}
