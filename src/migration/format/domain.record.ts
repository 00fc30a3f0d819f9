import Type, { type Static } from 'typebox';

/** `orgs[].domains[]`. Without `isVerified` nothing relies on the domain, also not where it is called primary. */
export const domainRecord = Type.Object({
  domainName: Type.String({ maxLength: 300 }),
  isPrimary: Type.Optional(Type.Boolean()),
  isVerified: Type.Optional(Type.Boolean()),
});

export type DomainRecord = Static<typeof domainRecord>;
