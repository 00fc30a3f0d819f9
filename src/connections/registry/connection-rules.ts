import { refusedValue } from '#src/directory/index.js';
import { requireDomainName, requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import {
  type ClaimNames,
  type CommonSettings,
  type ConnectionSettings,
  longestSecret,
  mappedAttributes,
  mostAcrs,
  mostConnectionDomains,
  mostScopes,
  type OidcProvider,
  type ProviderEndpoints,
} from './connection.js';
import { entraTenantOf, isEntraHost } from './known-providers.js';
import { requireClaimName, requireHttps, requireTokens, requireVisible } from './provider-texts.js';
import { requireSamlProvider } from './saml-rules.js';

/**
 * Returns the settings of a connection after checking each.
 * @param own the address of this service, which is no outside provider
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`
 */
export function requireConnection(given: ConnectionSettings, own: string): ConnectionSettings {
  if (given.protocol === 'oidc') {
    const { provider, ...common } = checkEach({
      ...rulesOf(given),
      provider: () => requireProvider(given.provider, own),
    });
    return { ...withUnchecked(given, common), protocol: 'oidc', provider };
  }
  const { provider, ...common } = checkEach({
    ...rulesOf(given),
    provider: () => requireSamlProvider(given.provider),
  });
  return { ...withUnchecked(given, common), protocol: 'saml', provider };
}

/** The rules of the settings that do not depend on the protocol. */
function rulesOf(given: CommonSettings) {
  return {
    name: () => requireName('name', given.name),
    domains: () => requireDomains(given.domains),
    linking: () => requireLinking(given.linking),
    claims: () => requireClaims(given.claims),
  };
}

/** Adds the settings that need no check. What is no setting is left out. */
function withUnchecked(
  { enabled, creation, strength }: CommonSettings,
  { name, domains, linking, claims }: Pick<CommonSettings, 'name' | 'domains' | 'linking' | 'claims'>,
): CommonSettings {
  return { name, enabled, domains, linking, creation, strength, claims };
}

/** Returns the secret after checking its length and characters. @throws AppError `directory.valueInvalid` */
export function requireProviderSecret(secret: string): string {
  return requireVisible('clientSecret', secret, longestSecret);
}

function requireProvider(given: OidcProvider, own: string): OidcProvider {
  const { authMethod, answersByForm, readsUserInfo } = given;
  const checked = checkEach({
    issuer: () => requireIssuer(given.issuer, own),
    clientId: () => requireVisible('provider.clientId', given.clientId),
    endpoints: () => given.endpoints && { endpoints: requireEndpoints(given.endpoints) },
    scopes: () => requireTokens('provider.scopes', given.scopes, mostScopes),
    acrs: () => requireTokens('provider.multiFactorAcrs', given.multiFactorAcrs, mostAcrs),
    hostedDomain: () => given.hostedDomain !== undefined && requireHostedDomain(given.hostedDomain),
  });
  return {
    issuer: checked.issuer,
    clientId: checked.clientId,
    authMethod,
    ...checked.endpoints,
    // `offline_access` would leave a token of the provider here, which nobody uses.
    scopes: checked.scopes.filter((scope) => scope !== 'openid' && scope !== 'offline_access'),
    ...checked.hostedDomain,
    multiFactorAcrs: checked.acrs,
    answersByForm,
    readsUserInfo,
  };
}

/**
 * The issuer as it was given, because tokens must repeat it exactly. Entra has an issuer for each tenant. Its common addresses stand for
 * everybody who has an account at Microsoft.
 */
function requireIssuer(issuer: string, own: string): string {
  const url = requireHttps('provider.issuer', issuer);
  if (issuer.replace(/\/$/, '') === own)
    throw refusedValue('provider.issuer', 'issuerOwn', 'provider.issuer must not be this service');
  if (isEntraHost(url.hostname) && entraTenantOf(issuer) === undefined) {
    const detail =
      'provider.issuer must name one tenant of Entra by its identifier: https://login.microsoftonline.com/{tenant}/v2.0';
    throw refusedValue('provider.issuer', 'entraTenant', detail);
  }
  return issuer;
}

function requireEndpoints(given: ProviderEndpoints): ProviderEndpoints {
  const address = (name: keyof ProviderEndpoints, text: string) => {
    requireHttps(`provider.endpoints.${name}`, text);
    return text;
  };
  const { userInfo } = given;
  const checked = checkEach({
    authorization: () => address('authorization', given.authorization),
    token: () => address('token', given.token),
    keys: () => address('keys', given.keys),
    userInfo: () => userInfo !== undefined && { userInfo: address('userInfo', userInfo) },
  });
  return {
    authorization: checked.authorization,
    token: checked.token,
    keys: checked.keys,
    ...checked.userInfo,
  };
}

function requireDomains(given: readonly string[]): string[] {
  if (given.length > mostConnectionDomains) {
    const detail = `domains has more than ${mostConnectionDomains} values`;
    throw refusedValue('domains', 'tooMany', detail, { most: mostConnectionDomains });
  }
  return [...new Set(given.map(requireDomainName))];
}

function requireHostedDomain(given: string): { hostedDomain?: string } {
  return given === '' ? {} : { hostedDomain: requireDomainName(given) };
}

function requireLinking({ provisionedBy = '', identifierClaim, byDomain }: ConnectionSettings['linking']) {
  return {
    ...(provisionedBy !== '' && {
      provisionedBy: requireVisible('linking.provisionedBy', provisionedBy, 200),
    }),
    identifierClaim: requireClaimName('linking.identifierClaim', identifierClaim),
    byDomain,
  };
}

function requireClaims(given: ClaimNames): ClaimNames {
  return Object.fromEntries(
    mappedAttributes.flatMap((attribute) => {
      const name = given[attribute];
      if (name === undefined || name === '') return [];
      return [[attribute, requireClaimName(`claims.${attribute}`, name)]];
    }),
  );
}
