import type { Clock } from '#src/platform/clock.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import type { FetchJson } from '#src/platform/outgoing/fetch-json.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import { type ClientKey, publishedKey } from './client-key.js';
import { createPublishedKeys, type IssuerKeys } from './published-keys.js';

/** The most keys of one issuer. Further ones are ignored. */
const maxKeys = 50;
const discoveryBounds = { maxBytes: 65_536, timeoutMs: 5_000 };
const keySetBounds = { maxBytes: 131_072, timeoutMs: 5_000 };

/** Returns the keys of issuers that name them in their discovery document. */
export function createIssuerKeys({ fetchJson, clock }: { fetchJson: FetchJson; clock: Clock }): IssuerKeys {
  return createPublishedKeys({ readKeys: (issuer, now) => readKeys(fetchJson, issuer, now), clock });
}

/**
 * Reads the keys that the discovery document of an issuer names (OpenID Connect Discovery section 4.3).
 * @throws OutgoingError, Error with a message for people
 */
async function readKeys(fetchJson: FetchJson, issuer: string, now: Date): Promise<readonly ClientKey[]> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovery = await about('the discovery document', () => fetchJson(address, discoveryBounds));
  if (!isJsonObject(discovery) || discovery['issuer'] !== issuer)
    throw new Error('The discovery document names another issuer');
  const { jwks_uri: keysAddress } = discovery;
  if (typeof keysAddress !== 'string') throw new Error('The discovery document names no jwks_uri');
  return readKeySet(fetchJson, keysAddress, now);
}

/**
 * Reads a set of public keys (RFC 7517 section 5).
 * @throws OutgoingError, Error with a message for people
 */
export async function readKeySet(
  fetchJson: FetchJson,
  address: string,
  now: Date,
): Promise<readonly ClientKey[]> {
  const keySet = await about('the keys', () => fetchJson(address, keySetBounds));
  const given = isJsonObject(keySet) && Array.isArray(keySet['keys']) ? keySet['keys'] : [];
  const usable = await Promise.all(given.slice(0, maxKeys).map((jwk: unknown) => publishedKey(jwk, now)));
  const keys = usable.filter((key) => key !== undefined);
  if (keys.length === 0) throw new Error('The issuer publishes no key for signatures that is usable here');
  return keys;
}

async function about(what: string, work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw new OutgoingError(error.problem, `Reading ${what}: ${error.message}`);
  }
}
