/**
 * Constants of an enumeration of ZITADEL, by their numbers in its protocol definitions, with the word of an import. An export has names or
 * numbers. Its encoder leaves out number 0. Undefined stands for what Muster does not have.
 */
type Constants = readonly (readonly [name: string, word: string | undefined])[];

/** `zitadel/app.proto`: OIDCAppType */
export const applicationTypes: Constants = [
  ['OIDC_APP_TYPE_WEB', 'web'],
  ['OIDC_APP_TYPE_USER_AGENT', 'spa'],
  ['OIDC_APP_TYPE_NATIVE', 'native'],
];

/** OIDCAuthMethodType */
export const authMethods: Constants = [
  ['OIDC_AUTH_METHOD_TYPE_BASIC', 'client_secret_basic'],
  ['OIDC_AUTH_METHOD_TYPE_POST', 'client_secret_post'],
  ['OIDC_AUTH_METHOD_TYPE_NONE', 'none'],
  ['OIDC_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT', 'private_key_jwt'],
];

/** APIAuthMethodType */
export const apiAuthMethods: Constants = [
  ['API_AUTH_METHOD_TYPE_BASIC', 'client_secret_basic'],
  ['API_AUTH_METHOD_TYPE_PRIVATE_KEY_JWT', 'private_key_jwt'],
];

/** OIDCResponseType */
export const responseTypes: Constants = [
  ['OIDC_RESPONSE_TYPE_CODE', 'code'],
  ['OIDC_RESPONSE_TYPE_ID_TOKEN', 'id_token'],
  ['OIDC_RESPONSE_TYPE_ID_TOKEN_TOKEN', 'id_token token'],
];

/** OIDCGrantType */
export const grantTypes: Constants = [
  ['OIDC_GRANT_TYPE_AUTHORIZATION_CODE', 'authorization_code'],
  ['OIDC_GRANT_TYPE_IMPLICIT', 'implicit'],
  ['OIDC_GRANT_TYPE_REFRESH_TOKEN', 'refresh_token'],
  ['OIDC_GRANT_TYPE_DEVICE_CODE', undefined],
  ['OIDC_GRANT_TYPE_TOKEN_EXCHANGE', 'urn:ietf:params:oauth:grant-type:token-exchange'],
];

/** OIDCTokenType */
export const tokenTypes: Constants = [
  ['OIDC_TOKEN_TYPE_BEARER', 'opaque'],
  ['OIDC_TOKEN_TYPE_JWT', 'jwt'],
];

/** `zitadel/user.proto`: AccessTokenType */
export const machineTokenTypes: Constants = [
  ['ACCESS_TOKEN_TYPE_BEARER', 'opaque'],
  ['ACCESS_TOKEN_TYPE_JWT', 'jwt'],
];

/** Returns the word of a constant; undefined if Muster has none. */
export function wordOf(constants: Constants, given: unknown): string | undefined {
  const found = typeof given === 'number' ? constants[given] : constants.find(([name]) => name === given);
  return found?.[1];
}
