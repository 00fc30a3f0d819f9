import Type from 'typebox';
import {
  type ConnectionSettings,
  grantedStrengths,
  mappedAttributes,
  mostAcrs,
  mostConnectionDomains,
  mostScopes,
  providerAuthMethods,
} from '#src/connections/registry/index.js';
import { identifier, text } from './values.js';

const provider = Type.Object({
  issuer: text,
  clientId: text,
  authMethod: Type.Enum(providerAuthMethods),
  endpoints: Type.Optional(
    Type.Object({ authorization: text, token: text, keys: text, userInfo: Type.Optional(text) }),
  ),
  scopes: Type.Array(text, { maxItems: mostScopes }),
  hostedDomain: Type.Optional(text),
  multiFactorAcrs: Type.Array(text, { maxItems: mostAcrs }),
  answersByForm: Type.Boolean(),
  readsUserInfo: Type.Boolean(),
});

/** `orgs[].connections[]`: how people sign in at a provider outside. It has no secret and no key. */
export const connectionRecord = Type.Object({
  connectionId: identifier,
  connection: Type.Object({
    name: text,
    protocol: Type.Enum(['oidc']),
    /** An import switches no connection on, because its secret is missing. */
    enabled: Type.Boolean(),
    provider,
    domains: Type.Array(text, { maxItems: mostConnectionDomains }),
    linking: Type.Object({
      provisionedBy: Type.Optional(text),
      identifierClaim: text,
      byDomain: Type.Boolean(),
    }),
    creation: Type.Enum(['create', 'refuse']),
    strength: Type.Enum(grantedStrengths),
    claims: Type.Object(
      Object.fromEntries(mappedAttributes.map((attribute) => [attribute, Type.Optional(text)])),
    ),
  }),
});

export interface ConnectionRecord {
  readonly connectionId: string;
  readonly connection: ConnectionSettings;
}
