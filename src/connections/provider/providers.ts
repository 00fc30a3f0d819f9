import {
  type AuthorizationServer,
  customFetch,
  discoveryRequest,
  OperationProcessingError,
  processDiscoveryResponse,
} from 'oauth4webapi';
import type { Clock } from '#src/platform/clock.js';
import { createFairLru } from '#src/platform/fair-lru.js';
import { toHttpsAddress } from '#src/platform/outgoing/https-address.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import type { OidcProvider } from '../registry/connection.js';
import { ProviderFailure } from './provider-failure.js';
import type { ProviderFetch, ProviderFetches } from './provider-fetch.js';

/** Where people sign in, and where a code is redeemed. All addresses are https. */
export interface ProviderAddresses extends AuthorizationServer {
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/** The addresses of a provider of OpenID Connect, and what it can do. */
export interface ProviderMetadata extends ProviderAddresses {
  readonly jwks_uri: string;
}

/** What providers say of themselves. */
export interface Providers {
  /**
   * The metadata of a provider: as given by hand, or from its discovery document. That is read anew when it is 10 minutes old. While the
   * provider cannot be reached, the known one serves for an hour.
   * @param orgId the organization that asks. What it learns serves no other
   * @throws ProviderFailure `unreachable`, `metadataInvalid`
   */
  read(orgId: string, provider: Pick<OidcProvider, 'issuer' | 'endpoints'>): Promise<ProviderMetadata>;
}

const freshMs = 10 * 60_000;
const usableMs = 60 * 60_000;
/** The time between two readings of a provider that failed. */
const pauseMs = 10_000;
/** The most providers that a process remembers. An organization with many pushes out none of the others. */
const maxProviders = 500;
/** The most discovery documents that one organization reads at once. */
const maxReads = 4;
const longestAddress = 2_000;

/**
 * The signature algorithms of ID tokens. All are asymmetric: a client secret, which several people know, signs nobody in, and neither does
 * a token without a signature.
 */
const signatureAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

interface Known {
  metadata?: ProviderMetadata;
  readAt: number;
  failedAt: number;
  failure?: ProviderFailure;
  reading?: Promise<void> | undefined;
}

export function createProviders({ fetch, clock }: { fetch: ProviderFetches; clock: Clock }): Providers {
  const providers = createFairLru<Known>({ max: maxProviders });
  const shares = createKeyedSemaphore({
    atOnce: maxReads,
    waiting: 0,
    longestWaitMs: 0,
    refuse: () => new ProviderFailure('unreachable', 'Too many providers are read at once', 'busy'),
  });
  const now = () => clock.now().getTime();

  async function readInto(known: Known, { orgId, issuer }: { orgId: string; issuer: string }): Promise<void> {
    try {
      known.metadata = await discover(fetch(orgId), issuer);
      known.readAt = now();
    } catch (error) {
      known.failedAt = now();
      known.failure = toFailure(error);
    }
  }

  return {
    async read(orgId, { issuer, endpoints }) {
      if (endpoints !== undefined) return byHand(issuer, endpoints);
      // The key has the organization, so that no two share what they learn.
      const key = JSON.stringify([orgId, issuer]);
      const known: Known = providers.get(orgId, key) ?? { readAt: -Infinity, failedAt: -Infinity };
      providers.set(orgId, key, known);
      if (now() - known.readAt >= freshMs && now() - known.failedAt >= pauseMs) {
        known.reading ??= shares
          .run(orgId, () => readInto(known, { orgId, issuer }))
          .finally(() => {
            known.reading = undefined;
          });
        await known.reading;
      }
      if (known.metadata !== undefined && now() - known.readAt < usableMs) return known.metadata;
      throw known.failure ?? new ProviderFailure('unreachable', 'The provider was not read');
    },
  };
}

function byHand(issuer: string, endpoints: NonNullable<OidcProvider['endpoints']>): ProviderMetadata {
  const { authorization, token, keys, userInfo, endSession } = endpoints;
  return {
    issuer,
    authorization_endpoint: authorization,
    token_endpoint: token,
    jwks_uri: keys,
    ...(userInfo !== undefined && { userinfo_endpoint: userInfo }),
    ...(endSession !== undefined && { end_session_endpoint: endSession }),
    id_token_signing_alg_values_supported: signatureAlgorithms,
  };
}

/**
 * Reads the discovery document (OpenID Connect Discovery section 4). It must name the issuer in exactly the same letters, or else a provider
 * could speak in the name of another one.
 */
async function discover(fetch: ProviderFetch, issuer: string): Promise<ProviderMetadata> {
  const url = new URL(issuer);
  const response = await discoveryRequest(url, { [customFetch]: fetch });
  const found = await processDiscoveryResponse(url, response);
  if (found.issuer !== issuer)
    throw new ProviderFailure(
      'metadataInvalid',
      'The discovery document names another issuer',
      'issuerDiffers',
    );
  const { userinfo_endpoint: userInfo, end_session_endpoint: endSession } = found;
  return {
    issuer,
    authorization_endpoint: requireAddress('authorization_endpoint', found.authorization_endpoint),
    token_endpoint: requireAddress('token_endpoint', found.token_endpoint),
    jwks_uri: requireAddress('jwks_uri', found.jwks_uri),
    ...(userInfo !== undefined && { userinfo_endpoint: requireAddress('userinfo_endpoint', userInfo) }),
    // People sign in without it, so an address that is none counts as absent.
    ...(isAddress(endSession) && { end_session_endpoint: endSession }),
    authorization_response_iss_parameter_supported:
      found.authorization_response_iss_parameter_supported === true,
    id_token_signing_alg_values_supported: signatureAlgorithms,
  };
}

function isAddress(given: unknown): given is string {
  const isText = typeof given === 'string' && given.length <= longestAddress;
  return isText && toHttpsAddress(given) !== undefined;
}

function requireAddress(name: string, given: unknown): string {
  if (isAddress(given)) return given;
  throw new ProviderFailure(
    'metadataInvalid',
    `The discovery document has no https address as ${name}`,
    'addressMissing',
    { member: name },
  );
}

function toFailure(error: unknown): ProviderFailure {
  if (error instanceof ProviderFailure) return error;
  if (error instanceof OutgoingError)
    return new ProviderFailure(
      'unreachable',
      `Reading the discovery document: ${error.message}`,
      error.problem,
    );
  if (error instanceof OperationProcessingError || error instanceof TypeError)
    return new ProviderFailure(
      'metadataInvalid',
      'The address has no discovery document of this issuer',
      'discoveryMissing',
    );
  throw error;
}
