import Type, { type Static } from 'typebox';
import { authMethods, grantTypes, groupsClaims, responseTypes } from '#src/clients/applications/index.js';
import { signingAlgorithms } from '#src/keys/signing-key.js';
import { clientKeyList, clientSecrets, identifier, singleAudience, text } from './values.js';

const uris = Type.Array(text, { maxItems: 100 });

/** The properties of both kinds of applications. An absent setting has the default value of the type. */
const shared = {
  name: text,
  active: Type.Optional(Type.Boolean()),
  authMethod: Type.Optional(Type.Enum(authMethods)),
  strictAuthMethod: Type.Optional(Type.Boolean()),
  grantTypes: Type.Optional(Type.Array(Type.Enum(grantTypes), { maxItems: 10 })),
  accessTokenType: Type.Optional(Type.Enum(['opaque', 'jwt'])),
  /** The algorithm that signs ID tokens; absent means the one of the instance. */
  idTokenSignedResponseAlg: Type.Optional(Type.Enum(signingAlgorithms)),
  singleAudience: Type.Optional(singleAudience),
  clientSecrets: Type.Optional(clientSecrets),
  clientKeys: Type.Optional(clientKeyList),
};

/** `orgs[].oidcApps[]`: applications that people sign in to. The file has only their public keys. */
export const oidcAppRecord = Type.Object({
  projectId: Type.Optional(identifier),
  appId: identifier,
  app: Type.Object({
    ...shared,
    type: Type.Enum(['web', 'spa', 'native']),
    redirectUris: Type.Optional(uris),
    postLogoutRedirectUris: Type.Optional(uris),
    responseTypes: Type.Optional(Type.Array(Type.Enum(responseTypes), { maxItems: 10 })),
    idTokenUserinfoAssertion: Type.Optional(Type.Boolean()),
    groupsClaim: Type.Optional(Type.Enum(groupsClaims)),
    orgOnly: Type.Optional(Type.Boolean()),
  }),
});

/** `orgs[].apiApps[]`: APIs that introspect tokens. */
export const apiAppRecord = Type.Object({
  projectId: Type.Optional(identifier),
  appId: identifier,
  app: Type.Object({
    ...shared,
    idTokenUserinfoAssertion: Type.Optional(Type.Boolean()),
    groupsClaim: Type.Optional(Type.Enum(groupsClaims)),
    orgOnly: Type.Optional(Type.Boolean()),
  }),
});

export type OidcAppRecord = Static<typeof oidcAppRecord>;
export type ApiAppRecord = Static<typeof apiAppRecord>;
