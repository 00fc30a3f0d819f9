import Type, { type Static } from 'typebox';
import { identifier, text } from './values.js';

const optionalText = Type.Optional(text);
const optionalFlag = Type.Optional(Type.Boolean());

const multiValue = Type.Object({
  value: text,
  type: optionalText,
  primary: optionalFlag,
  /** Absent where a provisioning client wrote the value, which vouches for it. */
  verified: optionalFlag,
});
const labelledValue = Type.Object({ value: text, type: optionalText });
const displayedValue = Type.Object({ value: text, display: optionalText });
const address = Type.Object({
  type: optionalText,
  streetAddress: optionalText,
  locality: optionalText,
  region: optionalText,
  postalCode: optionalText,
  country: optionalText,
  formatted: optionalText,
  primary: optionalFlag,
});
const listOf = <T extends Parameters<typeof Type.Array>[0]>(item: T) =>
  Type.Optional(Type.Array(item, { maxItems: 100 }));

/**
 * What SCIM keeps of a person beyond the fields of the file's own form, under the names of RFC 7643 section 4.1.
 * `emails` and `phoneNumbers` are the whole lists, so they stand instead of `email` and `phone` where they are given.
 */
const scimAttributes = Type.Object({
  externalId: optionalText,
  active: optionalFlag,
  middleName: optionalText,
  honorificPrefix: optionalText,
  honorificSuffix: optionalText,
  profileUrl: optionalText,
  title: optionalText,
  userType: optionalText,
  locale: optionalText,
  timezone: optionalText,
  emails: listOf(multiValue),
  phoneNumbers: listOf(multiValue),
  ims: listOf(labelledValue),
  addresses: listOf(address),
  photos: listOf(labelledValue),
  roles: listOf(displayedValue),
  entitlements: listOf(displayedValue),
});

/** `orgs[].humanUsers[]`, of both forms of import and of the export. */
export const humanUserRecord = Type.Object({
  /** Generated where it is absent. */
  userId: Type.Optional(identifier),
  user: Type.Object({
    userName: text,
    profile: Type.Object({
      firstName: text,
      lastName: text,
      nickName: optionalText,
      displayName: optionalText,
      preferredLanguage: optionalText,
      /** Accepted, and not kept: the directory has no such attribute. */
      gender: Type.Optional(Type.Union([text, Type.Integer()])),
    }),
    email: Type.Object({ email: text, isEmailVerified: optionalFlag }),
    phone: Type.Optional(Type.Object({ phone: text, isPhoneVerified: optionalFlag })),
    /** In clear; excludes `hashedPassword`. */
    password: optionalText,
    /** bcrypt, or what this service exports. Exported with passwords only. */
    hashedPassword: Type.Optional(Type.Object({ value: text })),
    passwordChangeRequired: optionalFlag,
    /** Secret of the second factor in base32 (RFC 4648 section 6). Exported with one-time passwords only. */
    otpCode: optionalText,
    scim: Type.Optional(scimAttributes),
  }),
});

export type HumanUserRecord = Static<typeof humanUserRecord>;
