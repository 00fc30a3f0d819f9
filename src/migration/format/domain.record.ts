import Type, { type Static } from 'typebox';

/** `orgs[].domains[]`. Nothing relies on a domain that is not verified, even if the file calls it primary. */
export const domainRecord = Type.Object({
  domainName: Type.String({ maxLength: 300 }),
  isPrimary: Type.Optional(Type.Boolean()),
  isVerified: Type.Optional(Type.Boolean()),
});

export type DomainRecord = Static<typeof domainRecord>;
