import Type, { type Static } from 'typebox';
import { mostIdentityLinks } from '#src/accounts/person-lists/index.js';
import { identifier, text } from './values.js';

const identityLink = Type.Object({
  /** The alias or issuer of the provider in the system that the person comes from. */
  provider: Type.Optional(text),
  /** A connection of the organization. Without it, the link waits for one. */
  connectionId: Type.Optional(identifier),
  /** The identifier of the account there, such as `sub`. */
  subject: text,
  name: Type.Optional(text),
});

/** `orgs[].identityLinks[]`: the links of one person to accounts at identity providers. */
export const identityLinksRecord = Type.Object({
  userId: identifier,
  links: Type.Array(identityLink, { minItems: 1, maxItems: mostIdentityLinks }),
});

export type IdentityLinksRecord = Static<typeof identityLinksRecord>;
