import { requireProjectId } from '#src/access/projects/index.js';
import { refusedValue } from '#src/directory/index.js';
import { Refusals } from '#src/platform/check-each.js';
import type {
  Application,
  ApplicationSettings,
  ClientAuthMethod,
  GivenSettings,
  GrantType,
  ResponseType,
} from './application.js';
import {
  defaultedSettings,
  methodsOf,
  type SignInSetting,
  settingNamed,
  settingNames,
  tokenExchangeType,
} from './application-settings.js';
import { hasDotlessScheme } from './redirect-uris.js';
import type { AnySetting, ApplicationSettingName, SettingValue } from './setting.js';

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

/** Returns the settings with the defaults of the type. */
export function withDefaults(given: GivenSettings): ApplicationSettings {
  const defaults = defaultedSettings.map((name) => [name, defaultOf(settingNamed(name), given)]);
  return { ...Object.fromEntries(defaults), ...given };
}

function defaultOf({ default: value }: AnySetting, given: GivenSettings): SettingValue | undefined {
  return typeof value === 'function' ? value(given) : value;
}

/**
 * Returns the fields of a stored application with the settings that it lacks, because an earlier version stored it. Only a default
 * that depends on no other setting is filled in.
 */
export function withLaterSettings<T extends Partial<ApplicationSettings>>(stored: T): T {
  const absent = defaultedSettings.flatMap((name) => {
    const { default: value } = settingNamed(name);
    return stored[name] === undefined && typeof value !== 'function' ? [[name, value]] : [];
  });
  return { ...stored, ...Object.fromEntries(absent) };
}

/**
 * Returns these settings alone, in the order of `names`. Absent settings are no properties, and sets are sorted: so equal settings
 * are equal objects, and the same text in exports.
 */
export function settingsOf<N extends ApplicationSettingName>(
  application: ApplicationSettings,
  names: readonly N[],
): Pick<ApplicationSettings, N> {
  const settings = names.flatMap((name) => {
    const value = application[name];
    if (value === undefined) return [];
    const isSet = settingNamed(name).kind === 'set';
    return [[name, isSet ? [...(value as readonly string[])].sort() : value]];
  });
  return Object.fromEntries(settings);
}

/**
 * Returns the settings after checking each value and their combination.
 * @throws AppError `directory.valueInvalid`, `directory.valueMissing`
 */
export function requireApplicationSettings(settings: ApplicationSettings): ApplicationSettings {
  const { type, authMethod, projectId } = settings;
  const refusals = new Refusals();
  // These come before the rules of the table: the first error is that of the whole request.
  if (!methodsOf[type].includes(authMethod)) {
    const detail = `authMethod of a ${type} application must be ${methodsOf[type].join(' or ')}`;
    refusals.add(refusedValue('authMethod', 'notOffered', detail, { allowed: methodsOf[type] }));
  }
  if (projectId !== undefined) refusals.try(() => requireProjectId(projectId));
  if (settings.groupsClaimSelection === 'assigned' && projectId === undefined) {
    const detail =
      'groupsClaimSelection assigned needs projectId: groups are assigned to the roles of a project';
    refusals.add(refusedValue('groupsClaimSelection', 'projectForGroups', detail));
  }
  refusals.try(() => requireFittingGrants(settings));
  const checked = settingNames.flatMap((name) => {
    const { rule } = settingNamed(name);
    const value = settings[name];
    return rule === undefined || value === undefined
      ? []
      : [[name, refusals.try(() => rule(value, type))] as const];
  });
  refusals.throwIfAny();
  return { ...settings, ...Object.fromEntries(checked) };
}

/** Nobody signs in to an API. */
function requireNoSignIns(settings: Pick<ApplicationSettings, SignInSetting>): void {
  const { redirectUris, postLogoutRedirectUris, responseTypes, acr, allowedGroups, connectionId } = settings;
  const uris = redirectUris.length + postLogoutRedirectUris.length;
  if (uris > 0 || responseTypes.length > 0) {
    const detail = 'An api application has neither redirect URIs nor response types';
    throw refusedValue(uris > 0 ? 'redirectUris' : 'responseTypes', 'apiSignsNobodyIn', detail);
  }
  if (acr !== undefined || allowedGroups.length > 0) {
    const detail = 'An api application demands nothing of sign-ins';
    throw refusedValue(acr === undefined ? 'allowedGroups' : 'acr', 'apiSignsNobodyIn', detail);
  }
  if (connectionId !== '')
    throw refusedValue('connectionId', 'apiSignsNobodyIn', 'An api application leads to no connection');
}

/**
 * Throws if the response types and the grant types do not match (OpenID Connect Dynamic Client Registration 1.0 section
 * 2). Other programs can claim a private scheme too. Nothing binds the tokens of the implicit flow to the program that asked, as PKCE
 * binds a code, so that flow needs a scheme that is at least unlikely to be claimed (RFC 8252 sections 8.1 and 8.4).
 */
function requireFittingGrants({ type, grantTypes, ...settings }: ApplicationSettings): void {
  const { responseTypes, redirectUris } = settings;
  const grants = new Set<GrantType>(grantTypes);
  if (type === 'api') {
    requireNoSignIns(settings);
    if ([...grants].some((grant) => grant !== tokenExchangeType)) {
      const detail = `grantTypes of an api application can only be ${tokenExchangeType}`;
      throw refusedValue('grantTypes', 'notOffered', detail, { allowed: [tokenExchangeType] });
    }
    return;
  }
  if (responseTypes.length === 0)
    throw refusedValue('responseTypes', 'required', 'responseTypes is required');
  if (redirectUris.length === 0) throw refusedValue('redirectUris', 'required', 'redirectUris is required');
  const wantsCode = responseTypes.includes('code');
  const wantsImplicit = responseTypes.some((wanted: ResponseType) => wanted !== 'code');
  if (wantsCode !== grants.has('authorization_code')) {
    const detail = 'The response type code and the grant type authorization_code go together';
    throw refusedValue('grantTypes', 'codeGrant', detail);
  }
  if (wantsImplicit !== grants.has('implicit')) {
    const detail = 'The response types id_token and id_token token, and the grant type implicit, go together';
    throw refusedValue('grantTypes', 'implicitGrant', detail);
  }
  if (wantsImplicit && redirectUris.some(hasDotlessScheme)) {
    const detail = 'An application with a scheme without a dot uses the response type code alone, with PKCE';
    throw refusedValue('responseTypes', 'dotlessScheme', detail);
  }
  if (grants.has('refresh_token') && !wantsCode && !grants.has(tokenExchangeType)) {
    const detail = 'No grant of the application gives it refresh tokens';
    throw refusedValue('grantTypes', 'refreshGrant', detail);
  }
}
