import type { Static } from 'typebox';
import {
  type Connection,
  type ConnectionChange,
  type ConnectionSettings,
  credentialEndsOf,
  noClaimMapping,
  type OidcConnection,
  type SamlProvider,
  usualClaims,
} from '#src/connections/registry/index.js';
import { redirectUriOf, signedOutUri } from '#src/connections/sign-in/index.js';
import { refusedValue } from '#src/directory/index.js';
import type { connectionChange, connectionToAdd, shownConnection } from './connection-schemas.js';
import { byHand, newSamlProvider, samlResponse } from './saml-schemas.js';

/** The settings of a new connection. What the body leaves out comes from the metadata of a SAML provider, or gets its default. */
export function newConnectionSettings(
  body: Static<typeof connectionToAdd>,
  fromMetadata?: Partial<SamlProvider>,
): ConnectionSettings {
  const { name, enabled = true, domains = [], linking = {} } = body;
  const { creation = 'refuse', strength = 'single', claims = usualClaims, mapping } = body;
  const common = {
    ...{ name, enabled, domains, creation, strength, claims },
    mapping: { ...noClaimMapping, ...mapping },
    linking: { identifierClaim: 'sub', byDomain: false, byPerson: false, ...linking },
  };
  if (body.protocol === 'saml')
    return { ...common, protocol: 'saml', provider: newSamlProvider(body.provider, fromMetadata) };
  const { hostedDomain = '', endpoints, ...given } = body.provider;
  return {
    ...common,
    protocol: 'oidc',
    provider: {
      authMethod: body.clientSecret === undefined ? 'none' : 'client_secret_basic',
      scopes: given.api === 'github' ? ['read:user', 'user:email'] : ['profile', 'email'],
      multiFactorAcrs: [],
      answersByForm: false,
      readsUserInfo: false,
      ...given,
      ...(hostedDomain !== '' && { hostedDomain }),
      ...(endpoints && { endpoints }),
    },
  };
}

/**
 * The change that a body asks for. `linking` and `mapping` name only what changes. What the body leaves out comes from new metadata.
 * @throws AppError `directory.valueInvalid` for settings of another protocol
 */
export function changeOf(
  { linking, mapping, ...body }: Static<typeof connectionChange>,
  current: Connection,
  fromMetadata?: Partial<SamlProvider>,
): ConnectionChange {
  const isOfOther = body.protocol !== undefined || body.provider !== undefined;
  if (isOfOther && (body.protocol ?? 'oidc') !== current.protocol)
    throw refusedValue('protocol', 'notOffered', 'protocol must be that of the connection', {
      allowed: [current.protocol],
    });
  const { provider, ...others } = body;
  const { clientSecretEnds: ends, ...rest } = others as typeof others & { clientSecretEnds?: string | null };
  const { metadata: _metadata, ...named } = (provider ?? {}) as {
    metadata?: string;
    certificates?: string[];
  };
  return {
    ...rest,
    ...(ends !== undefined && { secretEnds: ends === null ? null : new Date(ends) }),
    protocol: current.protocol,
    ...(provider && { provider: { ...fromMetadata, ...named, ...byHand(named) } }),
    ...(linking && { linking: { ...current.linking, ...linking } }),
    ...(mapping && { mapping: { ...current.mapping, ...mapping } }),
  } as ConnectionChange;
}

/** The connection as the API shows it, without its secrets. */
export function connectionResponse(
  config: { readonly baseUrl: string },
  connection: Connection,
): Static<typeof shownConnection> {
  const { id, orgId, name, enabled, domains, linking, creation, strength, claims, mapping, version } =
    connection;
  const ends = credentialEndsOf(connection);
  const common = {
    ...{ id, orgId, name, enabled, linking, creation, strength, claims, version },
    domains: [...domains],
    mapping: {
      when: mapping.when,
      values: mapping.values.map(({ from, ...row }) => ({ ...row, from: [...from] })),
      groups: [...mapping.groups],
    },
    created: connection.created.toISOString(),
    lastModified: connection.lastModified.toISOString(),
    ...(ends && { credentialEnds: ends.toISOString() }),
  };
  return connection.protocol === 'saml'
    ? { ...common, ...samlResponse(config, connection) }
    : { ...common, ...oidcResponse(config, connection) };
}

function oidcResponse(config: { readonly baseUrl: string }, connection: OidcConnection) {
  const { provider, sealedSecret, ownKey } = connection;
  return {
    protocol: 'oidc' as const,
    redirectUri: redirectUriOf(config, connection),
    postLogoutRedirectUri: signedOutUri(config, connection),
    provider: {
      ...provider,
      endsSession: provider.endsSession ?? false,
      scopes: [...provider.scopes],
      multiFactorAcrs: [...provider.multiFactorAcrs],
      hasSecret: sealedSecret !== undefined,
      ...(ownKey && { publicKey: { ...ownKey.publicJwk } }),
    },
  };
}
