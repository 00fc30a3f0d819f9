import Type from 'typebox';
import {
  type ConnectionSettings,
  grantedStrengths,
  longestCertificate,
  mappedAttributes,
  mostAcrs,
  mostCertificates,
  mostConnectionDomains,
  mostMappedClaims,
  mostMappedGroups,
  mostScopes,
  nameIdFormats,
  providerAuthMethods,
  samlBindings,
  signedParts,
} from '#src/connections/registry/index.js';
import { identifier, text } from './values.js';

const oidcProvider = Type.Object({
  issuer: text,
  clientId: text,
  authMethod: Type.Enum(providerAuthMethods),
  endpoints: Type.Optional(
    Type.Object({
      ...{ authorization: text, token: text, keys: text },
      userInfo: Type.Optional(text),
      endSession: Type.Optional(text),
    }),
  ),
  scopes: Type.Optional(Type.Array(text, { maxItems: mostScopes })),
  hostedDomain: Type.Optional(text),
  multiFactorAcrs: Type.Optional(Type.Array(text, { maxItems: mostAcrs })),
  answersByForm: Type.Boolean(),
  readsUserInfo: Type.Boolean(),
  api: Type.Optional(Type.Enum(['github'])),
  endsSession: Type.Optional(Type.Boolean()),
});

const endpoint = Type.Object({ address: text, binding: Type.Enum(samlBindings) });

const samlProvider = Type.Object({
  issuer: text,
  signIn: endpoint,
  signOut: Type.Optional(text),
  endsSession: Type.Optional(Type.Boolean()),
  passesLoginHint: Type.Optional(Type.Boolean()),
  certificates: Type.Array(Type.String({ maxLength: longestCertificate }), { maxItems: mostCertificates }),
  metadataUrl: Type.Optional(text),
  signedPart: Type.Enum(signedParts),
  allowsSha1: Type.Boolean(),
  nameIdFormat: Type.Enum(nameIdFormats),
  subjectAttribute: Type.Optional(text),
  signsRequests: Type.Boolean(),
  startsAtProvider: Type.Boolean(),
  multiFactorAcrs: Type.Optional(Type.Array(text, { maxItems: mostAcrs })),
});

const common = {
  name: text,
  /** An import switches no connection on, because its secret is missing. */
  enabled: Type.Boolean(),
  domains: Type.Optional(Type.Array(text, { maxItems: mostConnectionDomains })),
  linking: Type.Object({
    provisionedBy: Type.Optional(text),
    identifierClaim: text,
    byDomain: Type.Boolean(),
    /** Absent in earlier exports: no. */
    byPerson: Type.Optional(Type.Boolean()),
  }),
  creation: Type.Enum(['create', 'refuse']),
  strength: Type.Enum(grantedStrengths),
  claims: Type.Optional(
    Type.Object(Object.fromEntries(mappedAttributes.map((attribute) => [attribute, Type.Optional(text)]))),
  ),
  /** Absent in earlier exports: an empty table. */
  mapping: Type.Optional(
    Type.Object({
      when: Type.Enum(['first', 'always']),
      values: Type.Optional(
        Type.Array(
          Type.Object({
            to: Type.Enum(mappedAttributes),
            from: Type.Optional(Type.Array(text, { maxItems: mostMappedClaims })),
            constant: Type.Optional(text),
            lowerCase: Type.Optional(Type.Boolean()),
          }),
          { maxItems: mappedAttributes.length },
        ),
      ),
      groups: Type.Optional(
        Type.Array(Type.Object({ claim: text, value: text, groupId: text }), {
          maxItems: mostMappedGroups,
        }),
      ),
    }),
  ),
};

/** `orgs[].connections[]`: how people sign in at a provider outside. It has no secret and no key. An empty list or object counts as absent. */
export const connectionRecord = Type.Object({
  connectionId: identifier,
  connection: Type.Union([
    Type.Object({ ...common, protocol: Type.Enum(['oidc']), provider: oidcProvider }),
    Type.Object({ ...common, protocol: Type.Enum(['saml']), provider: samlProvider }),
  ]),
});

export interface ConnectionRecord {
  readonly connectionId: string;
  readonly connection: ConnectionSettings;
}
