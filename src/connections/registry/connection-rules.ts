import {
  hasInvisibleCharacters,
  hasUnusableCharacters,
  isLongerThan,
  refusedValue,
} from '#src/directory/index.js';
import { requireDomainName, requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import {
  type ClaimNames,
  type ConnectionSettings,
  longestClaimName,
  longestProviderText,
  longestSecret,
  mappedAttributes,
  mostAcrs,
  mostConnectionDomains,
  mostScopes,
  type OidcProvider,
  type ProviderEndpoints,
} from './connection.js';
import { entraTenantOf, isEntraHost } from './known-providers.js';

/**
 * Returns the settings of a connection after checking each.
 * @param own the address of this service, which is no outside provider
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`
 */
export function requireConnection(given: ConnectionSettings, own: string): ConnectionSettings {
  const { name, provider, domains, linking, claims } = checkEach({
    name: () => requireName('name', given.name),
    provider: () => requireProvider(given.provider, own),
    domains: () => requireDomains(given.domains),
    linking: () => requireLinking(given.linking),
    claims: () => requireClaims(given.claims),
  });
  const { protocol, enabled, creation, strength } = given;
  return { name, protocol, enabled, provider, domains, linking, creation, strength, claims };
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

/** @throws AppError unless the text is an https address without credentials, query and fragment */
function requireHttps(path: string, text: string): URL {
  const visible = requireVisible(path, text);
  const url = URL.canParse(visible) ? new URL(visible) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (url !== undefined && isPlain && !/[?#\s\\]/.test(visible)) return url;
  const detail = `${path} must be an https address without a query and a fragment`;
  throw refusedValue(path, 'httpsAddress', detail, { most: longestProviderText });
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

function requireClaimName(path: string, name: string): string {
  return requireVisible(path, name, longestClaimName);
}

/** Values that an address joins by spaces. */
function requireTokens(path: string, given: readonly string[], most: number): string[] {
  if (given.length > most)
    throw refusedValue(path, 'tooMany', `${path} has more than ${most} values`, { most });
  const checked = given.map((value, index) => {
    const visible = requireVisible(`${path}[${index}]`, value, longestClaimName);
    if (!/\s/.test(visible)) return visible;
    throw refusedValue(`${path}[${index}]`, 'blanks', `${path}[${index}] has spaces`);
  });
  return [...new Set(checked)];
}

function requireVisible(path: string, value: string, most = longestProviderText): string {
  if (value === '') throw refusedValue(path, 'required', `${path} is required`);
  if (isLongerThan(value, most))
    throw refusedValue(path, 'tooLong', `${path} has more than ${most} characters`, { most });
  if (value.trim() !== value) throw refusedValue(path, 'blanks', `${path} has spaces at its ends`);
  if (hasUnusableCharacters(value) || hasInvisibleCharacters(value))
    throw refusedValue(path, 'invisibleCharacters', `${path} has invisible characters`);
  return value;
}
