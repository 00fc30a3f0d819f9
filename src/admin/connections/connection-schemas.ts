import Type, { type Static } from 'typebox';
import {
  type Connection,
  type ConnectionChange,
  type ConnectionSettings,
  grantedStrengths,
  longestClaimName,
  longestProviderText,
  longestSecret,
  mappedAttributes,
  mostAcrs,
  mostConnectionDomains,
  mostScopes,
  providerAuthMethods,
  usualClaims,
} from '#src/connections/registry/index.js';
import { redirectUriOf } from '#src/connections/sign-in/index.js';
import {
  domainNameText,
  issuerAddress,
  objectName,
  orEmpty,
  type ValueShape,
  visibleText,
} from '#src/directory/index.js';
import { orgParams, shapedText, strictObject, timestamp, version } from '../http/schemas.js';

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
};
const issuer = text(
  issuerAddress,
  'The issuer, exactly as its ID tokens have it. It never changes. For Entra it names one tenant',
);
const domains = Type.Array(shapedText(253, domainNameText), {
  maxItems: mostConnectionDomains,
  description: 'Verified domains of the organization whose people sign in by the connection',
});
const linkingFields = {
  provisionedBy: shapedText(
    200,
    orEmpty(visibleText),
    'The service user that provisions people of this provider. A person whom it gave the `externalId` that arrives in `identifierClaim` is linked. Empty turns the rule off',
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
};
const creation = Type.Enum(['create', 'refuse'], {
  description: 'What happens to somebody whom no rule links: a new person, or a refusal',
});
const strength = Type.Enum(grantedStrengths, {
  description:
    'What a sign-in counts as: `single` one factor, `claimed` several if the ID token says so, `multiple` always several',
});
const claims = strictObject(
  Object.fromEntries(
    mappedAttributes.map((attribute) => [attribute, Type.Optional(claimName(`The claim with ${attribute}`))]),
  ),
  { description: 'Where the values of a new person come from. An absent or empty name is not read' },
);
const clientSecret = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: longestSecret,
    description: 'The secret of this service at the provider. It is stored sealed, and never shown',
  }),
);

const optionalOf = <T extends Record<string, Type.TSchema>>(fields: T) =>
  Object.fromEntries(Object.entries(fields).map(([key, schema]) => [key, Type.Optional(schema)])) as {
    [K in keyof T]: Type.TOptional<T[K]>;
  };

const { clientId: _clientId, authMethod: _authMethod, ...laterFields } = providerFields;

export const connectionToAdd = strictObject(
  {
    id: Type.Optional(
      Type.String({
        ...{ minLength: 36, maxLength: 36, pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' },
        description:
          'A UUID for the connection, in lower case, so that its redirect URI is known before. No connection may have it or have had it. Absent: a new one',
      }),
    ),
    name,
    protocol: Type.Optional(Type.Enum(['oidc'])),
    enabled: Type.Optional(enabled),
    provider: strictObject({
      issuer,
      clientId: providerFields.clientId,
      authMethod: Type.Optional(authMethod),
      endpoints: Type.Optional(endpoints),
      ...optionalOf(laterFields),
    }),
    clientSecret,
    domains: Type.Optional(domains),
    linking: Type.Optional(strictObject(optionalOf(linkingFields))),
    creation: Type.Optional(creation),
    strength: Type.Optional(strength),
    claims: Type.Optional(claims),
  },
  {
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
    ],
  },
);

export const connectionChange = strictObject(
  {
    name: Type.Optional(name),
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
    domains: Type.Optional(domains),
    linking: Type.Optional(strictObject(optionalOf(linkingFields))),
    creation: Type.Optional(creation),
    strength: Type.Optional(strength),
    claims: Type.Optional(claims),
  },
  { examples: [{ enabled: false }] },
);

export const connectionParams = Type.Object({
  ...orgParams.properties,
  connectionId: Type.String({ minLength: 1, maxLength: 200, description: 'Connection' }),
});

const shownText = Type.String();

export const shownConnection = Type.Object(
  {
    id: shownText,
    orgId: shownText,
    name: shownText,
    protocol: Type.Enum(['oidc']),
    enabled,
    redirectUri: Type.String({ description: 'The redirect URI to register at the provider' }),
    provider: Type.Object({
      issuer: shownText,
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
        }),
      ),
      scopes: Type.Array(shownText),
      hostedDomain: Type.Optional(shownText),
      multiFactorAcrs: Type.Array(shownText),
      answersByForm: Type.Boolean(),
      readsUserInfo: Type.Boolean(),
    }),
    domains: Type.Array(shownText),
    linking: Type.Object({
      provisionedBy: Type.Optional(shownText),
      identifierClaim: shownText,
      byDomain: Type.Boolean(),
    }),
    creation,
    strength,
    claims: Type.Object(
      Object.fromEntries(mappedAttributes.map((attribute) => [attribute, Type.Optional(shownText)])),
    ),
    version,
    created: timestamp,
    lastModified: timestamp,
  },
  { title: 'Connection' },
);

/** The settings of a new connection. What the body leaves out gets its default. */
export function newConnectionSettings(body: Static<typeof connectionToAdd>): ConnectionSettings {
  const { name, protocol = 'oidc', enabled = true, provider, domains = [], linking = {} } = body;
  const { creation = 'refuse', strength = 'single', claims = usualClaims } = body;
  const { hostedDomain = '', endpoints, ...given } = provider;
  return {
    ...{ name, protocol, enabled, domains, creation, strength, claims },
    provider: {
      authMethod: body.clientSecret === undefined ? 'none' : 'client_secret_basic',
      scopes: ['profile', 'email'],
      multiFactorAcrs: [],
      answersByForm: false,
      readsUserInfo: false,
      ...given,
      ...(hostedDomain !== '' && { hostedDomain }),
      ...(endpoints && { endpoints }),
    },
    linking: { identifierClaim: 'sub', byDomain: false, ...linking },
  };
}

/** The change that a body asks for. `linking` names only the rules that change. */
export function changeOf(
  { linking, ...body }: Static<typeof connectionChange>,
  current: Connection,
): ConnectionChange {
  return { ...body, ...(linking && { linking: { ...current.linking, ...linking } }) };
}

/** The connection as the API shows it, without its secrets. */
export function connectionResponse(
  config: { readonly baseUrl: string },
  connection: Connection,
): Static<typeof shownConnection> {
  const {
    provider,
    sealedSecret,
    ownKey,
    signInsSince: _since,
    created,
    lastModified,
    ...shown
  } = connection;
  return {
    ...shown,
    redirectUri: redirectUriOf(config, connection),
    provider: {
      ...provider,
      scopes: [...provider.scopes],
      multiFactorAcrs: [...provider.multiFactorAcrs],
      hasSecret: sealedSecret !== undefined,
      ...(ownKey && { publicKey: { ...ownKey.publicJwk } }),
    },
    domains: [...shown.domains],
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
  };
}
