import { requireProjectId } from '#src/access/projects/index.js';
import { directoryErrors } from '#src/directory/index.js';
import { requireName } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Application, ClientAuthMethod, GrantType, ResponseType } from './application.js';
import { requireRedirectUris } from './redirect-uris.js';

/** The settings of an application that a client may set. */
export type ApplicationSettings = Pick<
  Application,
  | 'name'
  | 'type'
  | 'projectId'
  | 'authMethod'
  | 'strictAuthMethod'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'responseTypes'
  | 'grantTypes'
  | 'accessTokenType'
  | 'idTokenUserinfoAssertion'
  | 'groupsClaim'
  | 'idTokenSignedResponseAlg'
  | 'orgOnly'
>;

/** The settings of a new application. An absent setting gets the default of the type. */
export type GivenSettings = Pick<ApplicationSettings, 'name' | 'type'> & Partial<ApplicationSettings>;

export const applicationTypes = ['web', 'spa', 'native', 'api'] as const;
export const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export const groupsClaims = ['names', 'identifiers'] as const;
export const responseTypes = ['code', 'id_token', 'id_token token'] as const;
export const tokenExchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'implicit',
  tokenExchangeType,
] as const satisfies readonly GrantType[];

/**
 * A program on the device of a user cannot keep a secret (RFC 6749 section 2.1). An API introspects tokens, so it must
 * authenticate.
 */
export const methodsOf: Record<Application['type'], readonly ClientAuthMethod[]> = {
  web: authMethods,
  spa: ['none'],
  native: ['none'],
  api: ['client_secret_basic', 'private_key_jwt'],
};

/** Returns whether a client with this authentication method has a secret. */
export function usesSecret(method: ClientAuthMethod): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

/**
 * Returns whether a client may send its secret by this method: in the header (`client_secret_basic`) or in the form
 * (`client_secret_post`). Many libraries cannot choose, so both are taken unless the application is strict.
 */
export function takesSecretBy(
  { authMethod, strictAuthMethod }: Pick<Application, 'authMethod' | 'strictAuthMethod'>,
  method: ClientAuthMethod,
): boolean {
  return usesSecret(authMethod) && usesSecret(method) && (authMethod === method || !strictAuthMethod);
}

/**
 * Returns the settings with the defaults of the type. The default is the authorization code flow. The implicit flow is
 * added only if the given response types need it.
 */
export function withDefaults(given: GivenSettings): ApplicationSettings {
  const isApi = given.type === 'api';
  const implicit = given.responseTypes?.some((type) => type !== 'code') ? (['implicit'] as const) : [];
  const usesCode = given.responseTypes?.includes('code') ?? true;
  const grants = [...(usesCode ? (['authorization_code', 'refresh_token'] as const) : []), ...implicit];
  return {
    authMethod: methodsOf[given.type][0] as ClientAuthMethod,
    strictAuthMethod: false,
    redirectUris: [],
    postLogoutRedirectUris: [],
    responseTypes: isApi ? [] : ['code'],
    grantTypes: isApi ? [] : grants,
    accessTokenType: 'opaque',
    idTokenUserinfoAssertion: false,
    groupsClaim: 'names',
    orgOnly: true,
    ...given,
  };
}

/**
 * Returns the settings after checking each value and their combination.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`
 */
export function requireApplicationSettings(settings: ApplicationSettings): ApplicationSettings {
  const { type, authMethod, projectId } = settings;
  if (!methodsOf[type].includes(authMethod)) {
    throw invalid(`authMethod of a ${type} application must be ${methodsOf[type].join(' or ')}`);
  }
  if (projectId !== undefined) requireProjectId(projectId);
  requireFittingGrants(settings);
  return {
    ...settings,
    name: requireName('name', settings.name),
    redirectUris: requireRedirectUris('redirectUris', settings.redirectUris, type),
    postLogoutRedirectUris: requireRedirectUris(
      'postLogoutRedirectUris',
      settings.postLogoutRedirectUris,
      type,
    ),
    responseTypes: [...new Set(settings.responseTypes)],
    grantTypes: [...new Set(settings.grantTypes)],
  };
}

/**
 * Throws if the response types and the grant types do not match (OpenID Connect Dynamic Client Registration 1.0 section
 * 2).
 */
function requireFittingGrants({ type, grantTypes, ...settings }: ApplicationSettings): void {
  const { responseTypes, redirectUris, postLogoutRedirectUris } = settings;
  const grants = new Set<GrantType>(grantTypes);
  if (type === 'api') {
    const uris = redirectUris.length + postLogoutRedirectUris.length;
    if (uris > 0 || responseTypes.length > 0) {
      throw invalid('An api application has neither redirect URIs nor response types');
    }
    if ([...grants].some((grant) => grant !== tokenExchangeType)) {
      throw invalid(`grantTypes of an api application can only be ${tokenExchangeType}`);
    }
    return;
  }
  if (responseTypes.length === 0) throw missing('responseTypes is required');
  if (redirectUris.length === 0) throw missing('redirectUris is required');
  const wantsCode = responseTypes.includes('code');
  const wantsImplicit = responseTypes.some((wanted: ResponseType) => wanted !== 'code');
  if (wantsCode !== grants.has('authorization_code')) {
    throw invalid('The response type code and the grant type authorization_code go together');
  }
  if (wantsImplicit !== grants.has('implicit')) {
    throw invalid('The response types id_token and id_token token, and the grant type implicit, go together');
  }
  if (grants.has('refresh_token') && !wantsCode && !grants.has(tokenExchangeType)) {
    throw invalid('No grant of the application gives it refresh tokens');
  }
}

function invalid(detail: string): AppError {
  return new AppError(directoryErrors.valueInvalid, { detail });
}

function missing(detail: string): AppError {
  return new AppError(directoryErrors.valueMissing, { detail });
}
