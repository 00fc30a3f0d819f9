import Type from 'typebox';
import {
  applicationTypes,
  authMethods,
  groupsClaims,
  grantTypes as knownGrantTypes,
  responseTypes as knownResponseTypes,
  methodsOf,
  tokenExchangeType,
} from '#src/clients/applications/index.js';
import {
  projectId as idOfProject,
  nativeRedirectAddress,
  objectName,
  redirectAddress,
} from '#src/directory/index.js';
import { type SigningAlgorithm, signingAlgorithms } from '#src/keys/signing-key.js';
import {
  expectedVersion,
  removableText,
  shapedText,
  strictObject,
  timestamp,
  version,
} from '../http/schemas.js';

const name = shapedText(2000, objectName);
const uris = Type.Array(shapedText(2000, nativeRedirectAddress), {
  maxItems: 100,
  description: 'https, or http to the machine itself. Native applications may have a scheme of their own',
});
const type = Type.Enum(applicationTypes, { description: 'For good' });
const aboutProject =
  'Applications of one project share their audience; a project belongs to one organization. For an instance owner, a project that does not exist is added';
const projectId = shapedText(200, idOfProject, aboutProject);

const idTokenSignedResponseAlg = Type.Enum(signingAlgorithms, {
  description: 'Algorithm that signs its ID tokens; absent means the one of the instance',
});

const settings = {
  authMethod: Type.Enum(authMethods, {
    description: 'spa and native applications have no secret; they use PKCE',
  }),
  strictAuthMethod: Type.Boolean({
    description:
      'Take the client secret only by authMethod. If false, which is the default, the client may send it by Basic or in the form',
  }),
  redirectUris: uris,
  postLogoutRedirectUris: uris,
  responseTypes: Type.Array(Type.Enum(knownResponseTypes), { maxItems: 10 }),
  grantTypes: Type.Array(Type.Enum(knownGrantTypes), { maxItems: 10 }),
  accessTokenType: Type.Enum(['opaque', 'jwt'], { description: 'Form of the access tokens it gets' }),
  idTokenUserinfoAssertion: Type.Boolean({
    description: 'Put the claims of the scopes into the ID token even if an access token is issued',
  }),
  groupsClaim: Type.Enum(groupsClaims, {
    description: 'What the claim groups has: the names of groups, or their identifiers',
  }),
  orgOnly: Type.Boolean({
    description:
      'Only people of this organization may sign in: the default. If false, people of others may too, once an instance owner approved the application, their organization granted it, or they consent',
  }),
};

const optionalSettings = {
  authMethod: Type.Optional(settings.authMethod),
  strictAuthMethod: Type.Optional(settings.strictAuthMethod),
  redirectUris: Type.Optional(settings.redirectUris),
  postLogoutRedirectUris: Type.Optional(settings.postLogoutRedirectUris),
  responseTypes: Type.Optional(settings.responseTypes),
  grantTypes: Type.Optional(settings.grantTypes),
  accessTokenType: Type.Optional(settings.accessTokenType),
  idTokenUserinfoAssertion: Type.Optional(settings.idTokenUserinfoAssertion),
  groupsClaim: Type.Optional(settings.groupsClaim),
  orgOnly: Type.Optional(settings.orgOnly),
};

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
export const newApplication = strictObject(
  {
    ...optionalSettings,
    name,
    type,
    projectId: Type.Optional(projectId),
    idTokenSignedResponseAlg: Type.Optional(idTokenSignedResponseAlg),
  },
  {
    examples: [
      { name: 'Shop', type: 'web', redirectUris: ['https://shop.example/callback'] },
      { name: 'Orders', type: 'api', authMethod: 'private_key_jwt' },
    ],
    ruled: { allOf: [{ anyOf: applicationTypes.map(ofType) }, { anyOf: fittingGrants }] },
  },
);

const removableAlg = Type.Unsafe<SigningAlgorithm | null>({
  enum: [...signingAlgorithms, null],
  description: 'null removes it',
});

/** The body that changes an application. */
export const applicationChange = strictObject(
  {
    ...optionalSettings,
    name: Type.Optional(name),
    active: Type.Optional(Type.Boolean()),
    projectId: Type.Optional(removableText(200, idOfProject)),
    idTokenSignedResponseAlg: Type.Optional(removableAlg),
    version: expectedVersion,
  },
  {
    examples: [
      { name: 'Web shop', postLogoutRedirectUris: ['https://shop.example/'], accessTokenType: 'jwt' },
    ],
  },
);

const shown = {
  id: Type.String(),
  orgId: Type.String(),
  clientId: Type.String(),
  name: Type.String(),
  type,
  projectId: Type.Optional(Type.String({ description: aboutProject })),
  ...settings,
  idTokenSignedResponseAlg: Type.Optional(idTokenSignedResponseAlg),
  approved: Type.Boolean({
    description: 'An instance owner approved it for the people of every organization',
  }),
  administers: Type.Boolean({
    description:
      'People of its organization administer through it: it may request the scope urn:service:iam:admin',
  }),
  active: Type.Boolean(),
  created: timestamp,
  lastModified: timestamp,
  version,
};

/** An application as a response has it. */
export const application = Type.Object(shown, { title: 'Application' });

/** The same with the secret, which no other response has. */
export const addedApplication = Type.Object(
  { ...shown, clientSecret: Type.Optional(Type.String()) },
  { title: 'NewApplication' },
);
