import Type, { type Static } from 'typebox';
import { datesRecord } from './dates.record.js';
import { extensionValueRecord } from './extension.record.js';
import { identifier, text } from './values.js';

const optionalText = Type.Optional(text);
const optionalFlag = Type.Optional(Type.Boolean());

const multiValue = Type.Object({
  value: text,
  display: optionalText,
  type: optionalText,
  primary: optionalFlag,
  /** Absent if a provisioning client wrote the value. The service then trusts it. */
  verified: optionalFlag,
});
const labelledValue = Type.Object({
  value: text,
  display: optionalText,
  type: optionalText,
  primary: optionalFlag,
});
const address = Type.Object({
  display: optionalText,
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
 * The SCIM attributes of a person that the other fields of the record cannot hold, under their names in RFC 7643
 * sections 4.1 and
 * 4.3. If `emails` and `phoneNumbers` are given, they replace `email` and `phone`, because they are whole lists.
 */
const scimAttributes = Type.Object({
  externalId: optionalText,
  /** The externalIds that SCIM clients of connections gave as their own. Without a value: the client has taken its own away. */
  clientExternalIds: listOf(Type.Object({ serviceUserId: identifier, value: optionalText })),
  /** Whether a client gave a displayName that equals the names. A displayName that differs was given. */
  displayNameGiven: optionalFlag,
  /**
   * Whether a person or client chose the preferredLanguage `en`. A record without it says nothing about that, and a new person counts as one
   * who did not choose. Any other language was chosen.
   */
  preferredLanguageGiven: optionalFlag,
  active: optionalFlag,
  /** `name.formatted` */
  formatted: optionalText,
  middleName: optionalText,
  honorificPrefix: optionalText,
  honorificSuffix: optionalText,
  profileUrl: optionalText,
  website: optionalText,
  birthdate: optionalText,
  /** Only a word that `profile.gender` cannot hold. */
  gender: optionalText,
  title: optionalText,
  employeeNumber: optionalText,
  costCenter: optionalText,
  organization: optionalText,
  division: optionalText,
  department: optionalText,
  /** Identifier of the user who is the manager. That user need not exist. */
  manager: optionalText,
  userType: optionalText,
  locale: optionalText,
  timezone: optionalText,
  emails: listOf(multiValue),
  phoneNumbers: listOf(multiValue),
  ims: listOf(labelledValue),
  addresses: listOf(address),
  photos: listOf(labelledValue),
  roles: listOf(labelledValue),
  entitlements: listOf(labelledValue),
  /** Values of the attributes that the organization has registered. */
  extensions: listOf(extensionValueRecord),
});

type ScimAttributeName = keyof typeof scimAttributes.properties;

/** The names of the attributes in `user.scim`. */
export const scimAttributeNames = Object.keys(scimAttributes.properties) as ScimAttributeName[];

/** Members of `user.scim` that a user has elsewhere or in another form. Imports and exports have a rule for each. */
const otherwiseStored = [
  ...(['displayNameGiven', 'formatted', 'middleName', 'honorificPrefix', 'honorificSuffix'] as const),
  ...(['gender', 'emails', 'phoneNumbers', 'extensions', 'preferredLanguageGiven'] as const),
];
type OtherwiseStored = (typeof otherwiseStored)[number];

/** The other members of `user.scim`: a user has an attribute of the same name, with the same value. */
export const plainAttributes = scimAttributeNames.filter(
  (name): name is Exclude<ScimAttributeName, OtherwiseStored> =>
    !otherwiseStored.some((other) => other === name),
);

/** Those of {@link plainAttributes} whose value is a text. */
export const plainTexts = plainAttributes.filter((name) => scimAttributes.properties[name].type === 'string');

/** `orgs[].humanUsers[]`, in both forms of import and in the export. Only `userName` is required, as in SCIM. */
export const humanUserRecord = Type.Object({
  /** If absent, the import generates it. */
  userId: Type.Optional(identifier),
  user: Type.Object({
    userName: text,
    ...datesRecord,
    profile: Type.Optional(
      Type.Object({
        firstName: optionalText,
        lastName: optionalText,
        nickName: optionalText,
        displayName: optionalText,
        preferredLanguage: optionalText,
        /** A word, the name of a constant such as `GENDER_FEMALE`, or its number: see `imported-gender.ts`. */
        gender: Type.Optional(Type.Union([text, Type.Integer()])),
      }),
    ),
    /** A user without an address gets no mail. */
    email: Type.Optional(Type.Object({ email: optionalText, isEmailVerified: optionalFlag })),
    phone: Type.Optional(Type.Object({ phone: optionalText, isPhoneVerified: optionalFlag })),
    /** In plain text. A record has this or `hashedPassword`, not both. */
    password: optionalText,
    /** A hash of any form in docs/password-hashes.md. Only exports with passwords have it. */
    hashedPassword: Type.Optional(Type.Object({ value: text })),
    passwordChangeRequired: optionalFlag,
    /** Secret of the second factor in base32 (RFC 4648 section 6). Only exports with one-time passwords have it. */
    otpCode: optionalText,
    /**
     * Hashes of the recovery codes that are left. They are of this service and of this `userId`, and only exports with one-time passwords
     * have them.
     */
    otpRecoveryCodes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }), { maxItems: 10 }),
    ),
    scim: Type.Optional(scimAttributes),
  }),
});

export type HumanUserRecord = Static<typeof humanUserRecord>;
