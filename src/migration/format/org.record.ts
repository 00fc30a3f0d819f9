import Type, { type Static } from 'typebox';
import { base64Text } from '#src/directory/index.js';
import { datesRecord } from './dates.record.js';
import { extensionSchemaRecord } from './extension.record.js';
import { signInPolicyRecord } from './sign-in-policy.record.js';
import { text } from './values.js';

/** `orgs[].org`: the organization itself. Absent rules and settings have their default values. */
export const orgRecord = Type.Object({
  name: text,
  ...datesRecord,
  passwordPolicy: Type.Optional(
    Type.Object({
      minLength: Type.Integer(),
      upper: Type.Boolean(),
      lower: Type.Boolean(),
      digit: Type.Boolean(),
      symbol: Type.Boolean(),
    }),
  ),
  login: Type.Optional(
    Type.Object({
      selfRegistration: Type.Boolean(),
      verifyEmail: Type.Optional(Type.Boolean()),
      notifyNewBrowser: Type.Optional(Type.Boolean()),
      notifyChanges: Type.Optional(Type.Boolean()),
      notifyAdministration: Type.Optional(Type.Boolean()),
      logoUrl: Type.Optional(text),
      faviconUrl: Type.Optional(text),
      brandColor: Type.Optional(text),
    }),
  ),
  signInPolicy: Type.Optional(signInPolicyRecord),
  /** The uploaded logo, a WebP in base64. It takes the place of `login.logoUrl`. */
  logo: Type.Optional(Type.String({ ...base64Text })),
  plainScimErrors: Type.Optional(Type.Boolean()),
  uniqueExternalId: Type.Optional(Type.Boolean()),
  extensionSchemas: Type.Optional(Type.Array(extensionSchemaRecord, { maxItems: 100 })),
});

export type OrgRecord = Static<typeof orgRecord>;
