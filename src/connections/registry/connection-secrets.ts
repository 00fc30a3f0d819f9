import type { JWK } from 'jose';
import { newKeyPair } from '#src/keys/key-pair.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { ThreadPool } from '#src/keys/thread-pool.js';
import { newId } from '#src/platform/ids.js';
import type { Connection, ProviderAuthMethod } from './connection.js';

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
}

/**
 * Returns what a connection stores for its method: the sealed secret, or a key pair. A pair that it has stays, so that the provider need not
 * learn another key. A method that needs neither loses both.
 * @param wanted `secret`: another client secret. Absent: the one before stays
 * @throws AppError `keys.keyPairsSaturated`
 */
export async function storedSecrets(
  { connectionSealer, threads }: SecretsDeps,
  {
    orgId,
    method,
    secret,
    current = {},
  }: { orgId: string; method: ProviderAuthMethod; secret?: string | undefined; current?: StoredSecrets },
): Promise<StoredSecrets> {
  if (method === 'none') return {};
  if (method !== 'private_key_jwt') {
    const { sealedSecret } = current;
    if (secret !== undefined) return { sealedSecret: sealText(connectionSealer, secret) };
    return sealedSecret === undefined ? {} : { sealedSecret };
  }
  if (current.ownKey) return { ownKey: current.ownKey };
  const pair = await newKeyPair(threads, { algorithm: 'RS256', kind: 'key pair', holder: orgId });
  const named = { kid: newId(), alg: 'RS256', use: 'sig' };
  return {
    ownKey: {
      publicJwk: { ...pair.publicJwk, ...named },
      sealedPrivateJwk: sealText(connectionSealer, JSON.stringify({ ...pair.privateJwk, ...named })),
    },
  };
}

/** Returns the credential of a connection. Undefined if it has none yet, or no master key opens it. */
export function readCredential(
  sealer: Sealer,
  { provider: { authMethod: method }, sealedSecret, ownKey }: Connection,
): ProviderCredential | undefined {
  if (method === 'none') return { method };
  const sealed = method === 'private_key_jwt' ? ownKey?.sealedPrivateJwk : sealedSecret;
  const text = sealed === undefined ? undefined : sealer.unseal(Buffer.from(sealed, 'base64url'))?.toString();
  if (text === undefined) return undefined;
  return method === 'private_key_jwt' ? { method, privateJwk: JSON.parse(text) } : { method, secret: text };
}

function sealText(sealer: Sealer, text: string): string {
  return sealer.seal(Buffer.from(text)).toString('base64url');
}
