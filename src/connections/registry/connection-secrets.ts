import { createPrivateKey, createPublicKey } from 'node:crypto';
import type { JWK } from 'jose';
import { type KeyPair, newKeyPair } from '#src/keys/key-pair.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import type { Clock } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type {
  Connection,
  ConnectionSettings,
  OidcConnection,
  ProviderAuthMethod,
  SamlConnection,
} from './connection.js';

/** How this service proves itself at a provider. */
export type ProviderCredential =
  | { readonly method: 'client_secret_basic'; readonly secret: string }
  | { readonly method: 'client_secret_post'; readonly secret: string }
  | { readonly method: 'private_key_jwt'; readonly privateJwk: JWK }
  | { readonly method: 'none' };

/** The stored credentials of a connection. */
type StoredSecrets = Pick<Connection, 'sealedSecret' | 'ownKey'>;

export interface SecretsDeps {
  readonly connectionSealer: Sealer;
  readonly threads: ThreadPool;
  readonly clock: Clock;
}

/** The method of a connection: that of its client, or `saml`. */
type SecretMethod = ProviderAuthMethod | 'saml';

/** How long the certificate of a SAML connection counts for a provider that looks at its dates, in years. */
const certificateYears = 20;

/** By which method this service proves itself at the provider of a connection. */
export function secretMethod(settings: ConnectionSettings): SecretMethod {
  return settings.protocol === 'saml' ? 'saml' : settings.provider.authMethod;
}

/**
 * Makes what a connection needs for its method and does not have: the sealed new secret, or a key pair.
 * @param wanted `secret`: another client secret. `current`: what the connection has. Its pair stays, so that the provider need not learn another key
 * @throws AppError `keys.keyPairsSaturated`
 */
export async function newSecrets(
  { connectionSealer, threads, clock }: SecretsDeps,
  {
    orgId,
    method,
    secret,
    current = {},
  }: { orgId: string; method: SecretMethod; secret?: string | undefined; current?: StoredSecrets },
): Promise<StoredSecrets> {
  if (!usesKey(method))
    return secret === undefined ? {} : { sealedSecret: sealText(connectionSealer, secret) };
  if (current.ownKey) return {};
  const pair = await newKeyPair(threads, { algorithm: 'RS256', kind: 'key pair', holder: orgId });
  const named = { kid: newId(), alg: 'RS256', use: 'sig' };
  return {
    ownKey: {
      publicJwk: { ...pair.publicJwk, ...named },
      sealedPrivateJwk: sealText(connectionSealer, JSON.stringify({ ...pair.privateJwk, ...named })),
      ...(method === 'saml' && { certificate: await certificateOf(pair, clock.now()) }),
    },
  };
}

/** Returns what a connection stores for its method: the new secret, or that which it has now. A method that needs neither secret nor key loses both. */
export function storedSecrets(
  method: SecretMethod,
  { made, current = {} }: { made: StoredSecrets; current?: StoredSecrets },
): StoredSecrets {
  if (method === 'none') return {};
  if (usesKey(method)) {
    const ownKey = current.ownKey ?? made.ownKey;
    return ownKey === undefined ? {} : { ownKey };
  }
  const sealedSecret = made.sealedSecret ?? current.sealedSecret;
  return sealedSecret === undefined ? {} : { sealedSecret };
}

function usesKey(method: SecretMethod): boolean {
  return method === 'private_key_jwt' || method === 'saml';
}

async function certificateOf({ publicJwk, privateJwk }: KeyPair, from: Date): Promise<string> {
  // Few processes ever make a certificate, and what writes it takes long to load.
  const { selfSignedCertificate } = await import('#src/keys/self-signed-certificate.js');
  const until = new Date(from);
  until.setUTCFullYear(until.getUTCFullYear() + certificateYears);
  const publicKey = createPublicKey({ key: publicJwk, format: 'jwk' });
  const privateKey = createPrivateKey({ key: privateJwk, format: 'jwk' });
  return selfSignedCertificate({ publicKey, privateKey }, { name: 'Muster', from, until });
}

/** Returns the credential of a connection. Undefined if it has none yet, or no master key opens it. */
export function readCredential(
  sealer: Sealer,
  { provider: { authMethod: method }, sealedSecret, ownKey }: OidcConnection,
): ProviderCredential | undefined {
  if (method === 'none') return { method };
  const sealed = method === 'private_key_jwt' ? ownKey?.sealedPrivateJwk : sealedSecret;
  const text = sealed === undefined ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'))?.toString();
  if (text === undefined) return undefined;
  return method === 'private_key_jwt' ? { method, privateJwk: JSON.parse(text) } : { method, secret: text };
}

/** Returns the key of a SAML connection in the PEM format. Undefined if no master key opens it. */
export function readSamlKey(sealer: Sealer, { ownKey }: SamlConnection): string | undefined {
  const sealed = ownKey && Buffer.from(ownKey.sealedPrivateJwk, 'base64url');
  const text = sealed && sealer.unseal(sealed)?.toString();
  if (text === undefined) return undefined;
  return createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
    .export({ type: 'pkcs8', format: 'pem' })
    .toString();
}

function sealText(sealer: Sealer, text: string): string {
  return sealer.seal(Buffer.from(text)).toString('base64url');
}
