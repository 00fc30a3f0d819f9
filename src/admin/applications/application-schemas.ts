import Type, { type Static, type TObject, type TSchema } from 'typebox';
import {
  type AnySetting,
  type ApplicationChange,
  type ApplicationSettingName,
  type ApplicationSettings,
  applicationSettings,
  applicationTypes,
  defaultedSettings,
  type GivenSettings,
  methodsOf,
  removableSettings,
  requiredSettings,
  settingNamed,
  tokenExchangeType,
} from '#src/clients/applications/index.js';
import {
  nativeRedirectAddress,
  objectIdentifier,
  privateRedirectAddress,
  redirectAddress,
} from '#src/directory/index.js';
import {
  expectedVersion,
  removableText,
  shapedText,
  strictObject,
  timestamp,
  version,
} from '../http/schemas.js';
import { signingNow } from '../http/signing-now.js';

type Schemas = Record<string, TSchema>;

/** The schema of a setting in a body. */
function givenSchema(setting: AnySetting): TSchema {
  const remarks = remarksOf(setting);
  switch (setting.kind) {
    case 'text':
      return shapedText(setting.maxLength, setting.shape, setting.description);
    case 'choice':
      return Type.Enum(setting.values, remarks);
    case 'flag':
      return Type.Boolean(remarks);
    case 'set':
      return Type.Array(Type.Enum(setting.values), { maxItems: setting.maxItems, ...remarks });
    case 'addresses':
      return Type.Array(shapedText(2000, privateRedirectAddress), { maxItems: setting.maxItems, ...remarks });
    case 'identifiers':
      return Type.Array(Type.String({ minLength: 1, maxLength: 200, ruled: objectIdentifier }), {
        maxItems: setting.maxItems,
        ...remarks,
      });
  }
}

/** The schema of a setting in a response. The shapes of texts and addresses tell what is certainly accepted. More is. */
function shownSchema(setting: AnySetting): TSchema {
  const remarks = remarksOf(setting);
  if (setting.kind === 'text') return Type.String(remarks);
  if (setting.kind !== 'addresses') return givenSchema(setting);
  return Type.Array(Type.String({ maxLength: 2000 }), { maxItems: setting.maxItems, ...remarks });
}

function remarksOf({ description }: AnySetting) {
  return description === undefined ? {} : { description };
}

function givenSchemas(names: readonly ApplicationSettingName[]): Schemas {
  return Object.fromEntries(names.map((name) => [name, givenSchema(settingNamed(name))]));
}

/** The schemas of settings that a body may leave out. */
function optionalSchemas(names: readonly ApplicationSettingName[]): Schemas {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(givenSchema(settingNamed(name)))]));
}

function isChangeable(name: ApplicationSettingName): boolean {
  return settingNamed(name).isFixed !== true;
}

/** The schemas of settings that a change may remove. */
function nullableSchemas(): Schemas {
  return Object.fromEntries(
    removableSettings.map((name) => {
      const setting = applicationSettings[name];
      const schema =
        setting.kind === 'text'
          ? removableText(setting.maxLength, setting.shape)
          : Type.Unsafe({ enum: [...setting.values, null], description: 'null removes it' });
      return [name, Type.Optional(schema)];
    }),
  );
}

/** The schemas of all settings in a response. */
function shownSchemas(): Schemas {
  // A name that stands twice keeps its first place: the project stands before the settings that have defaults.
  const names = [...requiredSettings, 'projectId', ...defaultedSettings, ...removableSettings] as const;
  return Object.fromEntries(
    names.map((name) => {
      const setting = settingNamed(name);
      const schema = shownSchema(setting);
      const isAlways = setting.required || setting.default !== undefined;
      return [name, isAlways ? schema : Type.Optional(schema)];
    }),
  );
}

/** A native application with a scheme without a dot gets codes alone. */
function withPrivateScheme() {
  const native = ofType('native');
  const codeAlone = { minItems: 1, items: { const: 'code' } };
  const redirectUris = { minItems: 1, items: privateRedirectAddress };
  return { ...native, properties: { ...native.properties, redirectUris, responseTypes: codeAlone } };
}

/** What an application of one type may have. */
function ofType(given: (typeof applicationTypes)[number]) {
  const usual = { type: { const: given }, authMethod: { enum: methodsOf[given] } };
  if (given === 'api') {
    const none = { maxItems: 0 };
    return {
      properties: {
        ...usual,
        redirectUris: none,
        postLogoutRedirectUris: none,
        responseTypes: none,
        grantTypes: { items: { const: tokenExchangeType } },
        acr: false,
        allowedGroups: none,
        connectionId: { const: '' },
      },
    };
  }
  const items = given === 'native' ? nativeRedirectAddress : redirectAddress;
  return {
    required: ['redirectUris'],
    properties: {
      ...usual,
      redirectUris: { minItems: 1, items },
      postLogoutRedirectUris: { items },
      responseTypes: { minItems: 1 },
    },
  };
}

const has = (value: string) => ({ contains: { const: value } });
const lacks = (value: string) => ({ not: has(value) });

/** Response types and grant types go together (OpenID Connect Dynamic Client Registration 1.0 section 2). */
const fittingGrants = [
  { properties: { grantTypes: false } },
  { properties: { type: { const: 'api' } } },
  {
    properties: {
      responseTypes: { items: { const: 'code' } },
      grantTypes: { allOf: [has('authorization_code'), lacks('implicit')] },
    },
  },
  {
    required: ['responseTypes'],
    properties: {
      responseTypes: lacks('code'),
      grantTypes: {
        allOf: [
          has('implicit'),
          lacks('authorization_code'),
          { anyOf: [lacks('refresh_token'), has(tokenExchangeType)] },
        ],
      },
    },
  },
  {
    required: ['responseTypes'],
    properties: {
      responseTypes: { allOf: [has('code'), { contains: { enum: ['id_token', 'id_token token'] } }] },
      grantTypes: { allOf: [has('authorization_code'), has('implicit')] },
    },
  },
];

/** The body that adds an application. */
export const newApplication = Type.Unsafe<GivenSettings>(
  strictObject(
    {
      ...optionalSchemas(defaultedSettings),
      ...givenSchemas(requiredSettings),
      ...optionalSchemas(removableSettings),
    },
    {
      examples: [
        { name: 'Shop', type: 'web', redirectUris: ['https://shop.example/callback'] },
        { name: 'Orders', type: 'api', authMethod: 'private_key_jwt' },
      ],
      ruled: {
        allOf: [{ anyOf: [...applicationTypes.map(ofType), withPrivateScheme()] }, { anyOf: fittingGrants }],
      },
    },
  ),
);

/** The body that changes an application. */
export const applicationChange = Type.Unsafe<ApplicationChange>(
  strictObject(
    {
      ...optionalSchemas([...defaultedSettings, ...requiredSettings].filter(isChangeable)),
      active: Type.Optional(Type.Boolean()),
      ...nullableSchemas(),
      version: expectedVersion,
    },
    {
      examples: [
        { name: 'Web shop', postLogoutRedirectUris: ['https://shop.example/'], accessTokenType: 'jwt' },
      ],
    },
  ),
);

const identifiers = { id: Type.String(), orgId: Type.String(), clientId: Type.String() };
const state = {
  approved: Type.Boolean({
    description: 'An instance owner approved it for the people of every organization',
  }),
  administers: Type.Boolean({
    description:
      'People of its organization administer through it: it may request the scope urn:service:iam:admin',
  }),
  idTokenSigning: Type.Optional(
    Type.Object(signingNow, {
      description:
        'Present as long as clients may not know the keys of idTokenSignedResponseAlg: what signs its ID tokens instead',
    }),
  ),
  active: Type.Boolean(),
  created: timestamp,
  lastModified: timestamp,
  version,
};
const shown = {
  ...identifiers,
  ...shownSchemas(),
  ...state,
};
type Shown = ApplicationSettings & Static<TObject<typeof identifiers & typeof state>>;

/** An application as a response has it. */
export const application = Type.Unsafe<Shown>(Type.Object(shown, { title: 'Application' }));

/** The same with the secret, which no other response has. */
export const addedApplication = Type.Unsafe<Shown & { clientSecret?: string }>(
  Type.Object({ ...shown, clientSecret: Type.Optional(Type.String()) }, { title: 'CreatedApplication' }),
);
