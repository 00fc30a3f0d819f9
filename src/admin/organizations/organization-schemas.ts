import Type, { type TSchema } from 'typebox';
import {
  domainNameText,
  type LoginSwitch,
  leastPasswordLength,
  maxPasswordLength,
  objectName,
  organizationId,
  pageColor,
  pictureAddress,
  type QuotaKind,
  quotaKinds,
} from '#src/directory/index.js';
import {
  expectedVersion,
  includeTotal,
  pageQuery,
  shapedText,
  strictObject,
  timestamp,
  version,
} from '../http/schemas.js';

const policy = {
  minLength: Type.Integer({ minimum: leastPasswordLength, maximum: maxPasswordLength }),
  upper: Type.Boolean(),
  lower: Type.Boolean(),
  digit: Type.Boolean(),
  symbol: Type.Boolean(),
};

const quotaLimit = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: '0 means no limit' });

const shownLoginSwitches = {
  selfRegistration: Type.Boolean(),
  verifyEmail: Type.Boolean(),
  notifyNewBrowser: Type.Boolean(),
  notifyChanges: Type.Boolean(),
  notifyAdministration: Type.Boolean(),
} satisfies Record<LoginSwitch, TSchema>;

/** An organization, as responses have it. */
export const shownOrganization = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), { description: 'The first is the primary one' }),
    passwordPolicy: Type.Object(policy),
    login: Type.Object({
      ...shownLoginSwitches,
      logoUrl: Type.Optional(Type.String()),
      faviconUrl: Type.Optional(Type.String()),
      brandColor: Type.Optional(Type.String()),
    }),
    plainScimErrors: Type.Boolean(),
    uniqueExternalId: Type.Boolean(),
    quotas: Type.Object(
      { ...quotasOf(quotaLimit) },
      { description: 'The largest numbers that apply, those of the instance included' },
    ),
    created: timestamp,
    lastModified: timestamp,
    version,
  },
  { title: 'Organization' },
);

const name = shapedText(1000, objectName);
const domains = Type.Array(shapedText(300, domainNameText), {
  maxItems: 100,
  description: 'Verified domains. The first is the primary one',
});
const passwordPolicy = strictObject(
  {
    minLength: Type.Optional(policy.minLength),
    upper: Type.Optional(policy.upper),
    lower: Type.Optional(policy.lower),
    digit: Type.Optional(policy.digit),
    symbol: Type.Optional(policy.symbol),
  },
  { description: 'Absent rules stay' },
);

const login = strictObject(
  {
    selfRegistration: Type.Optional(
      Type.Boolean({ description: 'Whether anyone may make an account of their own' }),
    ),
    verifyEmail: Type.Optional(
      Type.Boolean({
        description:
          'Whether a person whose e-mail address nobody proved must enter a code that was mailed to it before the first ' +
          'sign-in. It needs a mail server',
      }),
    ),
    notifyNewBrowser: Type.Optional(
      Type.Boolean({
        description: 'Whether people are told by mail of a sign-in at a browser that is new to them',
      }),
    ),
    notifyChanges: Type.Optional(
      Type.Boolean({
        description:
          'Whether people are told by mail when they change their password, e-mail address, second factor or recovery codes',
      }),
    ),
    notifyAdministration: Type.Optional(
      Type.Boolean({
        description:
          'Whether people are told by mail what an administrator or a program did to their account',
      }),
    ),
    logoUrl: Type.Optional(shapedText(2000, pictureAddress, 'https address of a picture; empty removes it')),
    faviconUrl: Type.Optional(
      shapedText(
        2000,
        pictureAddress,
        'https address of the icon that browsers show beside the title; empty removes it',
      ),
    ),
    brandColor: Type.Optional(
      Type.String({
        ...pageColor,
        description:
          'Colour of buttons and links, such as #3047c8; empty removes it. Where its contrast with the page is below ' +
          '4.5:1, links get a darker or lighter shade, and buttons black or white text',
      }),
    ),
  },
  { description: 'Absent settings stay' },
);

const plainScimErrors = Type.Boolean({
  description:
    'Whether error bodies of SCIM have only schemas, status, scimType and detail (RFC 7644 section 3.12)',
});

const uniqueExternalId = Type.Boolean({
  description:
    'Whether no two users may have the same externalId. Refused while two have. Turning it on takes a second',
});

const quotas = strictObject(quotasOf(Type.Optional(Type.Union([quotaLimit, Type.Null()]))), {
  description: 'Absent quotas stay, null is the quota of the instance. Only an instance owner changes them',
});

/** What a new organization may have, and what a change may name. */
const settings = {
  domains: Type.Optional(domains),
  passwordPolicy: Type.Optional(passwordPolicy),
  login: Type.Optional(login),
  plainScimErrors: Type.Optional(plainScimErrors),
  uniqueExternalId: Type.Optional(uniqueExternalId),
  quotas: Type.Optional(quotas),
};

/** The body that adds an organization. */
export const organizationToAdd = strictObject(
  {
    id: Type.Optional(
      Type.String({
        description: 'An identifier to keep: 1 to 100 of A-Z a-z 0-9 . _ ~ -, the first a letter or digit',
        ruled: organizationId,
      }),
    ),
    name,
    ...settings,
  },
  {
    examples: [{ name: 'Northwind', domains: ['northwind.example'], passwordPolicy: { minLength: 12 } }],
  },
);

/** The body that changes an organization. */
export const organizationChange = strictObject(
  {
    name: Type.Optional(name),
    ...settings,
    version: expectedVersion,
  },
  { examples: [{ login: { selfRegistration: true }, quotas: { users: 5000 } }] },
);

/** The query of the list of organizations. */
export const organizationsQuery = Type.Object({
  ...pageQuery.properties,
  after: Type.Optional(Type.String({ maxLength: 2_000, description: 'The `next` of the page before' })),
  name: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only organizations whose names begin with it, in any letter case. Empty matches all',
    }),
  ),
  includeTotal,
});

/** The same schema for each quota. */
function quotasOf<T extends TSchema>(schema: T): Record<QuotaKind, T> {
  return Object.fromEntries(quotaKinds.map((kind) => [kind, schema])) as Record<QuotaKind, T>;
}
