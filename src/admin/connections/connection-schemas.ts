import Type from 'typebox';
import {
  grantedStrengths,
  longestClaimName,
  longestClaimValue,
  longestProviderText,
  longestSecret,
  mappedAttributes,
  mostAcrs,
  mostConnectionDomains,
  mostMappedClaims,
  mostMappedGroups,
  mostScopes,
  providerAuthMethods,
} from '#src/connections/registry/index.js';
import {
  domainNameText,
  issuerAddress,
  objectName,
  orEmpty,
  type ValueShape,
  visibleText,
} from '#src/directory/index.js';
import { orgParams, shapedText, strictObject, timestamp, version } from '../http/schemas.js';
import { samlProviderChange, samlProviderToAdd, shownSamlProvider, shownService } from './saml-schemas.js';

const text = (ruled: ValueShape, description: string) => shapedText(longestProviderText, ruled, description);
const token: ValueShape = { pattern: '^[!-~]{1,200}$' };
const claimName = (description: string) => shapedText(longestClaimName, orEmpty(token), description);
const name = shapedText(1000, objectName, 'What people see on the button, such as `Entra`');
const enabled = Type.Boolean({
  description:
    'Whether people may sign in by it. When it is switched off, its sessions and tokens end at once',
});
const authMethod = Type.Enum(providerAuthMethods, {
  description:
    'How this service proves itself at the provider. `private_key_jwt` uses a key that this service makes, shown as `publicKey`. `none` is PKCE alone',
});
const endpointFields = {
  authorization: text(issuerAddress, 'The authorization endpoint'),
  token: text(issuerAddress, 'The token endpoint'),
  keys: text(issuerAddress, 'The key set (jwks_uri)'),
  userInfo: Type.Optional(text(issuerAddress, 'The UserInfo endpoint')),
  endSession: Type.Optional(text(issuerAddress, 'The end session endpoint')),
};
const endpoints = strictObject(endpointFields, {
  description: 'The addresses of the provider, if it has no discovery document',
});
const providerFields = {
  clientId: text(visibleText, 'The `client_id` of this service at the provider'),
  authMethod,
  scopes: Type.Array(shapedText(longestClaimName, token), {
    maxItems: mostScopes,
    description: 'Scopes beside `openid`',
  }),
  hostedDomain: shapedText(
    253,
    orEmpty(domainNameText),
    'The only Google Workspace domain whose people may sign in (`hd`). Empty for none',
  ),
  multiFactorAcrs: Type.Array(shapedText(longestClaimName, token), {
    maxItems: mostAcrs,
    description: 'Values of `acr` that mean several factors, beside `mfa` in `amr`',
  }),
  answersByForm: Type.Boolean({ description: 'Whether the provider answers by a form, as Apple does' }),
  readsUserInfo: Type.Boolean({
    description: 'Whether claims that the ID token lacks are read from the UserInfo endpoint',
  }),
  endsSession: Type.Boolean({
    description:
      'Whether a sign-out here goes on to the provider, if it has an end session endpoint (OpenID Connect RP-Initiated Logout). The provider must know `postLogoutRedirectUri`',
  }),
};
const api = Type.Enum(['github'], {
  description:
    'For a provider without OpenID Connect: its API says who somebody is. The issuer is then `https://github.com`, or the address of a GitHub Enterprise Server. It never changes',
});
const issuer = text(
  issuerAddress,
  'The issuer, exactly as its ID tokens have it. It never changes. For Entra it names one tenant',
);
/** The address of a provider with an API has no path. */
const originForApi = {
  anyOf: [{ properties: { api: false } }, { properties: { issuer: { pattern: '^https://[^/]+$' } } }],
};
const domains = Type.Array(shapedText(253, domainNameText), {
  maxItems: mostConnectionDomains,
  description: 'Verified domains of the organization whose people sign in by the connection',
});
const linkingFields = {
  provisionedBy: shapedText(
    200,
    orEmpty(visibleText),
    'The service user that provisions people of this provider. It has externalIds of its own, which no other client reads or changes. A person to whom it gave the `externalId` that arrives in `identifierClaim` is linked. Somebody whom others added must have no role, no second factor, no passkey and nothing of another connection, and passwords must be allowed. Empty turns the rule off',
  ),
  identifierClaim: shapedText(
    longestClaimName,
    token,
    'The claim that equals the `externalId`: `oid` for Entra, `sub` for most others',
  ),
  byDomain: Type.Boolean({
    description:
      'Whether an address that the provider has verified, in one of `domains`, links to the person of the organization who has it',
  }),
  byPerson: Type.Boolean({
    description:
      'Whether people may link an identity themselves, by a fresh proof of the account. At a first sign-in that no other rule links, the page asks for it, and then `creation` decides only for those who say to have no account',
  }),
};
const creation = Type.Enum(['create', 'refuse'], {
  description: 'What happens to somebody whom no rule links: a new person, or a refusal',
});
const strength = Type.Enum(grantedStrengths, {
  description:
    'What a sign-in counts as: `single` one factor, `claimed` several if the ID token says so, `multiple` always several',
});
/** The names of claims by the attributes that they give. */
export const claimNamesToRead = strictObject(
  Object.fromEntries(
    mappedAttributes.map((attribute) => [attribute, Type.Optional(claimName(`The claim with ${attribute}`))]),
  ),
  { description: 'Where the values of a new person come from. An absent or empty name is not read' },
);
const mappedValue = strictObject(
  {
    to: Type.Enum(mappedAttributes),
    from: Type.Array(shapedText(longestClaimName, token), {
      maxItems: mostMappedClaims,
      description:
        'Of these claims, the first with a value counts. Of a list, its first text. For roles and entitlements, all of its texts',
    }),
    constant: Type.Optional(
      shapedText(longestClaimValue, visibleText, 'The value if no claim has one. Not for userName and email'),
    ),
    lowerCase: Type.Optional(Type.Boolean()),
  },
  {
    ruled: {
      anyOf: [
        { properties: { from: { minItems: 1 }, constant: false } },
        { required: ['constant'], properties: { to: { not: { enum: ['userName', 'email'] } } } },
      ],
    },
  },
);
const mappedGroup = strictObject({
  claim: shapedText(longestClaimName, token, 'A claim with a text or a list of texts, such as `groups`'),
  value: shapedText(longestClaimValue, visibleText, 'The value whose holders are members'),
  groupId: shapedText(200, visibleText, 'The group of the organization. It may hold roles'),
});
const mappingFields = {
  when: Type.Enum(['first', 'always'], {
    description: 'Whether claims count for new people alone, or at each sign-in',
  }),
  values: Type.Array(mappedValue, {
    maxItems: mappedAttributes.length,
    description: 'Rows that take the place of names in `claims`',
  }),
  groups: Type.Array(mappedGroup, {
    maxItems: mostMappedGroups,
    description:
      'Whoever has none of the values of a group is taken out of it, and loses its roles. Other groups stay',
  }),
};
const clientSecret = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: longestSecret,
    description: 'The secret of this service at the provider. It is stored sealed, and never shown',
  }),
);

const clientSecretEnds = Type.String({
  format: 'date-time',
  description:
    'When the client secret ends at the provider. Owners are told 30 days before, by mail and in the console',
});

const optionalOf = <T extends Record<string, Type.TSchema>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof T]: Type.TOptional<T[K]>;
  };

/** A part of a mapping: what is absent stays. */
export const mappingChange = strictObject(optionalOf(mappingFields));

const { clientId: _clientId, authMethod: _authMethod, ...laterFields } = providerFields;

/** The settings that do not depend on the protocol, when a connection is added or changed. */
const commonFields = {
  domains: Type.Optional(domains),
  linking: Type.Optional(strictObject(optionalOf(linkingFields))),
  creation: Type.Optional(creation),
  strength: Type.Optional(strength),
  claims: Type.Optional(claimNamesToRead),
  mapping: Type.Optional(mappingChange),
};

const ownId = Type.Optional(
  Type.String({
    ...{ minLength: 36, maxLength: 36, pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
    description:
      'A UUID for the connection, in lower case, so that its addresses are known before. No connection may have it or have had it. Absent: a new one',
  }),
);

const oidcToAdd = strictObject({
  id: ownId,
  name,
  protocol: Type.Optional(Type.Enum(['oidc'])),
  enabled: Type.Optional(enabled),
  provider: strictObject(
    {
      issuer,
      api: Type.Optional(api),
      clientId: providerFields.clientId,
      authMethod: Type.Optional(authMethod),
      endpoints: Type.Optional(endpoints),
      ...optionalOf(laterFields),
    },
    { ruled: originForApi },
  ),
  clientSecret,
  clientSecretEnds: Type.Optional(clientSecretEnds),
  ...commonFields,
});

const samlToAdd = strictObject({
  id: ownId,
  name,
  protocol: Type.Enum(['saml']),
  enabled: Type.Optional(enabled),
  provider: samlProviderToAdd,
  ...commonFields,
});

export const connectionToAdd = Type.Union([oidcToAdd, samlToAdd], {
  examples: [
    {
      name: 'Entra',
      provider: {
        issuer: 'https://login.microsoftonline.com/8f2c1d3e-5a6b-4c7d-9e0f-1a2b3c4d5e6f/v2.0',
        clientId: '0b1c2d3e-4f50-4617-8a9b-c0d1e2f30415',
      },
      clientSecret: 'the secret of the application in Entra',
      linking: { identifierClaim: 'oid' },
    },
    {
      name: 'Keycloak',
      protocol: 'saml',
      provider: { metadataUrl: 'https://keycloak.acme.example/realms/acme/protocol/saml/descriptor' },
    },
  ],
});

const oidcChange = strictObject({
  name: Type.Optional(name),
  protocol: Type.Optional(Type.Enum(['oidc'])),
  enabled: Type.Optional(enabled),
  provider: Type.Optional(
    strictObject({
      issuer: Type.Optional(issuer),
      ...optionalOf(providerFields),
      endpoints: Type.Optional(
        Type.Union([endpoints, Type.Null()], { description: 'null returns to the discovery document' }),
      ),
    }),
  ),
  clientSecret,
  clientSecretEnds: Type.Optional(
    Type.Union([clientSecretEnds, Type.Null()], { description: 'null if nobody knows it' }),
  ),
  ...commonFields,
});

const samlChange = strictObject({
  name: Type.Optional(name),
  protocol: Type.Enum(['saml']),
  enabled: Type.Optional(enabled),
  provider: Type.Optional(samlProviderChange),
  ...commonFields,
});

/** A change that names settings of SAML says so in `protocol`. */
export const connectionChange = Type.Union([oidcChange, samlChange], { examples: [{ enabled: false }] });

export const connectionParams = Type.Object({
  ...orgParams.properties,
  connectionId: Type.String({ minLength: 1, maxLength: 200, description: 'Connection' }),
});

const shownText = Type.String();

const shownCommon = {
  id: shownText,
  orgId: shownText,
  name: shownText,
  enabled,
  domains: Type.Array(shownText),
  linking: Type.Object({
    provisionedBy: Type.Optional(shownText),
    identifierClaim: shownText,
    byDomain: Type.Boolean(),
    byPerson: Type.Boolean(),
  }),
  creation,
  strength,
  claims: Type.Object(
    Object.fromEntries(mappedAttributes.map((attribute) => [attribute, Type.Optional(shownText)])),
  ),
  mapping: Type.Object({
    when: mappingFields.when,
    values: Type.Array(
      Type.Object({
        to: Type.Enum(mappedAttributes),
        from: Type.Array(shownText),
        constant: Type.Optional(shownText),
        lowerCase: Type.Optional(Type.Boolean()),
      }),
    ),
    groups: Type.Array(Type.Object({ claim: shownText, value: shownText, groupId: shownText })),
  }),
  version,
  created: timestamp,
  lastModified: timestamp,
  credentialEnds: Type.Optional(
    Type.String({
      format: 'date-time',
      description:
        'When the client secret ends, as an administrator said, or the last certificate of the provider',
    }),
  ),
};

const shownOidc = Type.Object({
  ...shownCommon,
  protocol: Type.Enum(['oidc']),
  redirectUri: Type.String({ description: 'The redirect URI to register at the provider' }),
  postLogoutRedirectUri: Type.String({
    description: 'Where the provider leads after a sign-out, to register there for `endsSession`',
  }),
  provider: Type.Object({
    issuer: shownText,
    api: Type.Optional(api),
    clientId: shownText,
    authMethod,
    hasSecret: Type.Boolean(),
    publicKey: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The JWK to register at the provider for `private_key_jwt`',
      }),
    ),
    endpoints: Type.Optional(
      Type.Object({
        authorization: shownText,
        token: shownText,
        keys: shownText,
        userInfo: Type.Optional(shownText),
        endSession: Type.Optional(shownText),
      }),
    ),
    scopes: Type.Array(shownText),
    hostedDomain: Type.Optional(shownText),
    multiFactorAcrs: Type.Array(shownText),
    answersByForm: Type.Boolean(),
    readsUserInfo: Type.Boolean(),
    endsSession: Type.Boolean(),
  }),
});

const shownSaml = Type.Object({
  ...shownCommon,
  protocol: Type.Enum(['saml']),
  service: shownService,
  provider: shownSamlProvider,
});

export const shownConnection = Type.Union([shownOidc, shownSaml], { title: 'Connection' });
