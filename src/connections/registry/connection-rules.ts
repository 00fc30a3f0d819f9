import { refusedValue } from '#src/directory/index.js';
import { requireDomainName, requireName } from '#src/organizations/index.js';
import { checkEach } from '#src/platform/check-each.js';
import {
  type CommonSettings,
  type ConnectionSettings,
  longestProviderText,
  longestSecret,
  mostAcrs,
  mostConnectionDomains,
  mostScopes,
  type OidcProvider,
  type ProviderEndpoints,
} from './connection.js';
import { entraTenantOf, isEntraHost } from './known-providers.js';
import {
  type ClaimMapping,
  type ClaimNames,
  longestClaimValue,
  type MappedValue,
  mappedAttributes,
  mostMappedClaims,
  mostMappedGroups,
} from './mapping.js';
import { requireClaimName, requireHttps, requireTokens, requireVisible } from './provider-texts.js';
import { requireSamlProvider } from './saml-rules.js';

/**
 * Returns the settings of a connection after checking each.
 * @param thisIssuer the address of this service, which is no outside provider
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`
 */
export function requireConnection(given: ConnectionSettings, thisIssuer: string): ConnectionSettings {
  if (given.protocol === 'oidc') {
    const { provider, ...common } = checkEach({
      ...rulesOf(given),
      provider: () => requireProvider(given.provider, thisIssuer),
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
    claims: () => requireClaimNames(given.claims),
    mapping: () => requireMapping(given.mapping),
  };
}

/** Adds the settings that need no check. What is no setting is left out. */
function withUnchecked(
  { enabled, creation, strength }: CommonSettings,
  {
    name,
    domains,
    linking,
    claims,
    mapping,
  }: Pick<CommonSettings, 'name' | 'domains' | 'linking' | 'claims' | 'mapping'>,
): CommonSettings {
  return { name, enabled, domains, linking, creation, strength, claims, mapping };
}

/** Returns the secret after checking its length and characters. @throws AppError `directory.valueInvalid` */
export function requireProviderSecret(secret: string): string {
  return requireVisible('clientSecret', secret, longestSecret);
}

function requireProvider(given: OidcProvider, thisIssuer: string): OidcProvider {
  const { api, authMethod, answersByForm, readsUserInfo, endsSession } = given;
  if (api !== undefined) return requireGithubProvider(given, thisIssuer);
  const checked = checkEach({
    issuer: () => requireIssuer(given.issuer, thisIssuer),
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
    ...(endsSession && { endsSession }),
  };
}

/** GitHub has neither ID tokens nor a logout, so the settings for them do not count. */
function requireGithubProvider(given: OidcProvider, thisIssuer: string): OidcProvider {
  const checked = checkEach({
    issuer: () => requireOrigin(requireIssuer(given.issuer, thisIssuer)),
    clientId: () => requireVisible('provider.clientId', given.clientId),
    scopes: () => requireTokens('provider.scopes', given.scopes, mostScopes),
  });
  return {
    ...{ api: 'github', ...checked },
    // Its documents name no other method.
    authMethod: 'client_secret_post',
    ...{ multiFactorAcrs: [], answersByForm: false, readsUserInfo: false },
  };
}

function requireOrigin(issuer: string): string {
  if (issuer === new URL(issuer).origin) return issuer;
  const detail = 'provider.issuer must be the address of GitHub or of a server of it, without a path';
  throw refusedValue('provider.issuer', 'httpsAddress', detail, { most: longestProviderText });
}

/**
 * The issuer as it was given, because tokens must repeat it exactly. Entra has an issuer for each tenant. Its common addresses stand for
 * everybody who has an account at Microsoft.
 */
function requireIssuer(issuer: string, thisIssuer: string): string {
  const url = requireHttps('provider.issuer', issuer);
  if (issuer.replace(/\/$/, '') === thisIssuer)
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
  const { userInfo, endSession } = given;
  const checked = checkEach({
    authorization: () => address('authorization', given.authorization),
    token: () => address('token', given.token),
    keys: () => address('keys', given.keys),
    userInfo: () => userInfo !== undefined && { userInfo: address('userInfo', userInfo) },
    endSession: () => endSession !== undefined && { endSession: address('endSession', endSession) },
  });
  return {
    authorization: checked.authorization,
    token: checked.token,
    keys: checked.keys,
    ...checked.userInfo,
    ...checked.endSession,
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

function requireLinking({
  provisionedBy = '',
  identifierClaim,
  byDomain,
  byPerson,
}: ConnectionSettings['linking']) {
  return {
    ...(provisionedBy !== '' && {
      provisionedBy: requireVisible('linking.provisionedBy', provisionedBy, 200),
    }),
    identifierClaim: requireClaimName('linking.identifierClaim', identifierClaim),
    byDomain,
    byPerson,
  };
}

/** Returns the names after checking each. @throws AppError `directory.valueInvalid` */
export function requireClaimNames(given: ClaimNames): ClaimNames {
  return Object.fromEntries(
    mappedAttributes.flatMap((attribute) => {
      const name = given[attribute];
      if (name === undefined || name === '') return [];
      return [[attribute, requireClaimName(`claims.${attribute}`, name)]];
    }),
  );
}

/** Returns the table after checking each row. @throws AppError `directory.valueInvalid`, `directory.valueMissing` */
export function requireMapping({ when, values, groups }: ClaimMapping): ClaimMapping {
  const path = 'mapping.values';
  const twice = values.findIndex(({ to }, index) => values.findIndex((other) => other.to === to) !== index);
  if (twice >= 0)
    throw refusedValue(`${path}[${twice}].to`, 'duplicate', `${path} has two rows for ${values[twice]?.to}`);
  if (groups.length > mostMappedGroups) {
    const detail = `mapping.groups has more than ${mostMappedGroups} values`;
    throw refusedValue('mapping.groups', 'tooMany', detail, { most: mostMappedGroups });
  }
  return {
    when,
    values: values.map((row, index) => requireMappedValue(`${path}[${index}]`, row)),
    groups: groups.map(({ claim, value, groupId }, index) => ({
      claim: requireClaimName(`mapping.groups[${index}].claim`, claim),
      value: requireVisible(`mapping.groups[${index}].value`, value, longestClaimValue),
      groupId: requireVisible(`mapping.groups[${index}].groupId`, groupId, 200),
    })),
  };
}

function requireMappedValue(path: string, { to, from, constant, lowerCase }: MappedValue): MappedValue {
  if (from.length > mostMappedClaims) {
    const detail = `${path}.from has more than ${mostMappedClaims} values`;
    throw refusedValue(`${path}.from`, 'tooMany', detail, { most: mostMappedClaims });
  }
  if (from.length === 0 && constant === undefined)
    throw refusedValue(`${path}.from`, 'required', `${path} needs from or constant`);
  // Everybody would be the same person.
  if (constant !== undefined && (to === 'userName' || to === 'email'))
    throw refusedValue(`${path}.constant`, 'notOffered', `${path}.constant: ${to} has no constant`);
  return {
    to,
    from: from.map((name, index) => requireClaimName(`${path}.from[${index}]`, name)),
    ...(constant !== undefined && {
      constant: requireVisible(`${path}.constant`, constant, longestClaimValue),
    }),
    ...(lowerCase === true && { lowerCase }),
  };
}
