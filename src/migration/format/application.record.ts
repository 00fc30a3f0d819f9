import Type, { type Static, type TObject, type TSchema } from 'typebox';
import {
  type AnySetting,
  type ApplicationSettingName,
  type ApplicationSettings,
  type ApplicationType,
  type SignInSetting,
  settingNamed,
  settingNames,
  signInSettings,
} from '#src/clients/applications/index.js';
import { clientKeyList, clientSecrets, identifier, singleAudience, text } from './values.js';

/** The settings that stand in records in a way of their own: the project stands beside the others. */
type Placed = 'name' | 'type' | 'projectId';
type SharedSetting = Exclude<ApplicationSettingName, Placed | SignInSetting>;

/** The other settings that both kinds of applications have. */
export const sharedSettings = settingNames.filter(
  (name): name is SharedSetting => !['name', 'type', 'projectId', ...signInSettings].includes(name),
);

/** The schema of a setting in a record. An absent setting has the default value of the type. */
function schemaOf(setting: AnySetting): TSchema {
  switch (setting.kind) {
    case 'text':
      return text;
    case 'choice':
      return Type.Enum(setting.values);
    case 'flag':
      return Type.Boolean();
    case 'set':
      return Type.Array(Type.Enum(setting.values), { maxItems: setting.maxItems });
    case 'addresses':
      return Type.Array(text, { maxItems: setting.maxItems });
    case 'identifiers':
      return Type.Array(identifier, { maxItems: setting.maxItems });
  }
}

function optional(names: readonly ApplicationSettingName[]): Record<string, TSchema> {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(schemaOf(settingNamed(name)))]));
}

/** What a record has of an application besides its settings. The file has only public keys. */
const besides = {
  active: Type.Optional(Type.Boolean()),
  singleAudience: Type.Optional(singleAudience),
  clientSecrets: Type.Optional(clientSecrets),
  clientKeys: Type.Optional(clientKeyList),
};

// The description of the API has these behind all others.
const last: readonly ApplicationSettingName[] = [
  'idTokenUserinfoAssertion',
  'groupsClaim',
  'groupsClaimSelection',
  'groupsClaimPrefix',
  'orgOnly',
];
const { active, ...credentials } = besides;
/** The properties of both kinds of applications. */
const shared = {
  name: text,
  active,
  ...optional(sharedSettings.filter((name) => !last.includes(name))),
  ...credentials,
};

type ApiApp = Pick<ApplicationSettings, 'name'> &
  Partial<Pick<ApplicationSettings, SharedSetting>> &
  Static<TObject<typeof besides>>;
type OidcApp = ApiApp & { readonly type: Exclude<ApplicationType, 'api'> } & Partial<
    Pick<ApplicationSettings, SignInSetting>
  >;

/** `orgs[].oidcApps[]`: applications that people sign in to. */
export const oidcAppRecord = Type.Object({
  projectId: Type.Optional(identifier),
  appId: identifier,
  app: Type.Unsafe<OidcApp>(
    Type.Object({
      ...shared,
      type: Type.Enum(['web', 'spa', 'native']),
      ...optional(signInSettings),
      ...optional(last),
    }),
  ),
});

/** `orgs[].apiApps[]`: APIs that introspect tokens. */
export const apiAppRecord = Type.Object({
  projectId: Type.Optional(identifier),
  appId: identifier,
  app: Type.Unsafe<ApiApp>(Type.Object({ ...shared, ...optional(last) })),
});

export type OidcAppRecord = Static<typeof oidcAppRecord>;
export type ApiAppRecord = Static<typeof apiAppRecord>;
