import { demandedLevels, keyText, objectName, orEmpty, projectId } from '#src/directory/index.js';
import { signingAlgorithms } from '#src/keys/signing-key.js';
import { requireName } from '#src/organizations/index.js';
import { mostAllowedGroups, requireGroupIdentifiers } from './allowed-groups.js';
import {
  type ApplicationSettings,
  type ApplicationType,
  applicationGrantTypes,
  type ClientAuthMethod,
  type GivenSettings,
  type GrantType,
} from './application.js';
import { requireConnectionId } from './connection-id.js';
import { requireRedirectUris } from './redirect-uris.js';
import type { AnySetting, ApplicationSettingName, SettingRow } from './setting.js';

export const applicationTypes = ['web', 'spa', 'native', 'api'] as const;
export const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
const responseTypes = ['code', 'id_token', 'id_token token'] as const;
export const tokenExchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange';

/**
 * The methods of each type. The first one is the default. A program on the device of a user cannot keep a secret (RFC 6749
 * section 2.1). An API introspects tokens, so it must authenticate.
 */
export const methodsOf: Readonly<
  Record<ApplicationType, readonly [ClientAuthMethod, ...ClientAuthMethod[]]>
> = {
  web: authMethods,
  spa: ['none'],
  native: ['none'],
  api: ['client_secret_basic', 'private_key_jwt'],
};

const grantsOf = {
  web: applicationGrantTypes,
  spa: applicationGrantTypes,
  native: applicationGrantTypes,
  api: [tokenExchangeType],
} as const;

/** The authorization code flow. The implicit flow is added only if the given response types need it. */
function usualGrants({ type, responseTypes: given = ['code'] }: GivenSettings): GrantType[] {
  if (type === 'api') return [];
  return [
    ...(given.includes('code') ? (['authorization_code', 'refresh_token'] as const) : []),
    ...(given.some((wanted) => wanted !== 'code') ? (['implicit'] as const) : []),
  ];
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

const aboutAddresses =
  'https, or http to the machine itself. Native applications may have a scheme of their own';

/**
 * Every setting of an application. The admin API with its description, the form of the console, imports, exports, defaults and
 * changes all use this table. They have the settings in its order.
 */
export const applicationSettings = {
  name: {
    kind: 'text',
    maxLength: 2000,
    shape: objectName,
    required: true,
    rule: (name) => requireName('name', name),
  },
  type: { kind: 'choice', values: applicationTypes, required: true, isFixed: true, description: 'For good' },
  projectId: {
    kind: 'text',
    maxLength: 200,
    shape: projectId,
    description:
      'Applications of one project share their audience; a project belongs to one organization. For an instance owner, a project that does not exist is added',
  },
  authMethod: {
    kind: 'choice',
    values: authMethods,
    valuesOf: methodsOf,
    default: ({ type }) => methodsOf[type][0],
    description: 'spa and native applications have no secret; they use PKCE',
    form: { section: 'more', hint: true },
  },
  strictAuthMethod: {
    kind: 'flag',
    default: false,
    description:
      'Take the client secret only by authMethod. If false, which is the default, the client may send it by Basic or in the form',
    form: { section: 'more' },
  },
  redirectUris: {
    kind: 'addresses',
    maxItems: 100,
    signInOnly: true,
    default: [],
    rule: (uris, type) => requireRedirectUris('redirectUris', uris, type),
    description: aboutAddresses,
    form: { section: 'signIn', rows: 3, hint: true },
  },
  postLogoutRedirectUris: {
    kind: 'addresses',
    maxItems: 100,
    signInOnly: true,
    default: [],
    rule: (uris, type) => requireRedirectUris('postLogoutRedirectUris', uris, type),
    description: aboutAddresses,
    form: { section: 'signIn', rows: 2, hint: true },
  },
  responseTypes: {
    kind: 'set',
    values: responseTypes,
    maxItems: 10,
    signInOnly: true,
    default: ({ type }) => (type === 'api' ? [] : ['code']),
    rule: distinct,
    form: { section: 'more' },
  },
  grantTypes: {
    kind: 'set',
    values: applicationGrantTypes,
    valuesOf: grantsOf,
    maxItems: 10,
    default: usualGrants,
    rule: distinct,
    form: { section: 'more' },
  },
  accessTokenType: {
    kind: 'choice',
    values: ['opaque', 'jwt'],
    default: 'opaque',
    description: 'Form of the access tokens it gets',
    form: { section: 'more', hint: true },
  },
  idTokenUserinfoAssertion: {
    kind: 'flag',
    default: false,
    description: 'Put the claims of the scopes into the ID token even if an access token is issued',
    form: { section: 'more' },
  },
  groupsClaim: {
    kind: 'choice',
    values: ['names', 'identifiers'],
    default: 'names',
    description: 'What the claim groups has: the names of groups, or their identifiers',
    form: { section: 'more' },
  },
  groupsClaimSelection: {
    kind: 'choice',
    values: ['all', 'assigned'],
    default: 'all',
    description:
      'Which groups of a person the claim has: all, or those that have roles in the project of the application. `assigned` needs projectId',
    form: { section: 'more', hint: true },
  },
  groupsClaimPrefix: {
    kind: 'text',
    maxLength: 2000,
    shape: orEmpty(objectName),
    default: '',
    rule: (prefix) => (prefix.trim() === '' ? '' : requireName('groupsClaimPrefix', prefix)),
    description:
      'If not empty, the claim has only groups whose name begins with it, in any letter case. Blanks at its ends are removed',
    form: { section: 'more', hint: true },
  },
  idTokenSignedResponseAlg: {
    kind: 'choice',
    values: signingAlgorithms,
    description:
      'Algorithm that signs its ID tokens; absent means the one of the instance. If nobody used it before, it signs six minutes later, once every client can know its keys',
    form: { section: 'more', hint: true },
  },
  orgOnly: {
    kind: 'flag',
    default: true,
    description:
      'Only people of this organization may sign in: the default. If false, people of others may too, once an instance owner approved the application, their organization granted it, or they consent',
    form: { section: 'signIn', opposite: 'open', hint: true },
  },
  acr: {
    kind: 'choice',
    values: demandedLevels,
    signInOnly: true,
    description:
      'What its sign-ins must reach: 2 for two factors, phr for two of which one resists phishing. Absent means what the organization of the person demands. The stricter one holds',
    form: { section: 'signIn', hint: true },
  },
  allowedGroups: {
    kind: 'identifiers',
    maxItems: mostAllowedGroups,
    signInOnly: true,
    default: [],
    rule: requireGroupIdentifiers,
    description: 'The identifiers of the groups whose members alone may use it. Empty means everybody',
    form: { section: 'signIn', rows: 2, hint: true },
  },
  connectionId: {
    kind: 'text',
    maxLength: 200,
    shape: orEmpty(keyText),
    signInOnly: true,
    default: '',
    rule: requireConnectionId,
    description:
      'The identifier of the connection of the organization by which people sign in, unless a request names another one (`connection`). Empty means none',
    form: { section: 'signIn', hint: true },
  },
} as const satisfies { readonly [N in ApplicationSettingName]: SettingRow<Required<ApplicationSettings>[N]> };

/** The names of the settings whose rows have these properties. */
export type SettingsWith<Properties> = {
  [N in ApplicationSettingName]: (typeof applicationSettings)[N] extends Properties ? N : never;
}[ApplicationSettingName];

type RequiredSetting = SettingsWith<{ readonly required: true }>;
type DefaultedSetting = SettingsWith<{ readonly default: unknown }>;
/** An application may lack these settings, and a change may remove them. */
export type RemovableSetting = Exclude<ApplicationSettingName, RequiredSetting | DefaultedSetting>;
export type FixedSetting = SettingsWith<{ readonly isFixed: true }>;
/** An API has none of these settings. */
export type SignInSetting = SettingsWith<{ readonly signInOnly: true }>;

const rows: Readonly<Record<ApplicationSettingName, AnySetting>> = applicationSettings;

/** The row of a setting, of whatever kind. */
export function settingNamed(name: ApplicationSettingName): AnySetting {
  return rows[name];
}

export const settingNames = Object.keys(rows) as readonly ApplicationSettingName[];

export const requiredSettings = settingNames.filter(
  (name): name is RequiredSetting => rows[name].required === true,
);
export const defaultedSettings = settingNames.filter(
  (name): name is DefaultedSetting => rows[name].default !== undefined,
);
export const removableSettings = settingNames.filter(
  (name): name is RemovableSetting => rows[name].required !== true && rows[name].default === undefined,
);
export const changeableSettings = settingNames.filter(
  (name): name is Exclude<ApplicationSettingName, FixedSetting> => rows[name].isFixed !== true,
);
export const signInSettings = settingNames.filter(
  (name): name is SignInSetting => rows[name].signInOnly === true,
);
