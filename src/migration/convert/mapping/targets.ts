import { requirePreferredLanguage } from '#src/directory/index.js';
import { hashText } from '#src/keys/password-hashes/clear-password.js';
import { AppError } from '#src/platform/errors.js';
import { type HumanUserRecord, plainTexts } from '../../format/human-user.record.js';
import { requireId, valueRules } from '../reading/check-item.js';
import { ConversionError } from '../reading/read-fields.js';
import { datesOf, type SourceDates } from '../values/dates.js';
import { languageGiven } from '../values/language.js';
import { readFlag } from './flag-words.js';
import { addressTargets, listTargets } from './list-targets.js';

type User = HumanUserRecord['user'];

/** A user in an object that has a place for what most people have. Properties that are added behind a spread cost a microsecond each. */
function withPlaces(user: User): User {
  const places: { [Name in keyof User]?: User[Name] | undefined } = {
    userName: '',
    profile: undefined,
    email: undefined,
    phone: undefined,
    hashedPassword: undefined,
    scim: undefined,
  };
  return Object.assign(places, user);
}

/** A user that is being made. Its values may be taken away without another shape of the object. */
export type DraftUser = { [Name in keyof User]: User[Name] | undefined } & { userName: string };

/** A record that is being made. Its objects belong to it alone, so that a value is written without copies. */
export class DraftRecord {
  readonly record: HumanUserRecord;
  #profile: NonNullable<User['profile']> | undefined;
  #email: NonNullable<User['email']> | undefined;
  #phone: NonNullable<User['phone']> | undefined;
  #scim: NonNullable<User['scim']> | undefined;

  constructor(found: HumanUserRecord) {
    const { userId, user } = found;
    this.record = { userId, user: withPlaces(user) } as HumanUserRecord;
  }

  get profile(): NonNullable<User['profile']> {
    if (this.#profile === undefined) {
      const { user } = this.record;
      this.#profile = user.profile === undefined ? {} : { ...user.profile };
      user.profile = this.#profile;
    }
    return this.#profile;
  }

  get email(): NonNullable<User['email']> {
    if (this.#email === undefined) {
      const { user } = this.record;
      this.#email = user.email === undefined ? {} : { ...user.email };
      user.email = this.#email;
    }
    return this.#email;
  }

  get phone(): NonNullable<User['phone']> {
    if (this.#phone === undefined) {
      const { user } = this.record;
      this.#phone = user.phone === undefined ? {} : { ...user.phone };
      user.phone = this.#phone;
    }
    return this.#phone;
  }

  get scim(): NonNullable<User['scim']> {
    if (this.#scim === undefined) {
      const { user } = this.record;
      this.#scim = user.scim === undefined ? {} : { ...user.scim };
      user.scim = this.#scim;
    }
    return this.#scim;
  }
}

/** Writes a value to its place. */
type Put = (draft: DraftRecord, value: string) => void;

type ScimText =
  | (typeof plainTexts)[number]
  | 'formatted'
  | 'middleName'
  | 'honorificPrefix'
  | 'honorificSuffix';

const inProfile =
  (name: 'firstName' | 'lastName' | 'nickName' | 'displayName' | 'gender'): Put =>
  (draft, value) => {
    draft.profile[name] = value;
  };

const inScim =
  (name: ScimText): Put =>
  (draft, value) => {
    const scim: Record<string, unknown> = draft.scim;
    scim[name] = value;
  };

/** What an attribute of the source can become, beside groups, roles and metadata. The names are those of SCIM where it has one. */
const places: Readonly<Record<string, Put>> = {
  id: ({ record }, value) => {
    record.userId = requireId(value);
  },
  userName: ({ record: { user } }, value) => {
    user.userName = value;
  },
  'name.givenName': inProfile('firstName'),
  'name.familyName': inProfile('lastName'),
  'name.formatted': inScim('formatted'),
  'name.middleName': inScim('middleName'),
  'name.honorificPrefix': inScim('honorificPrefix'),
  'name.honorificSuffix': inScim('honorificSuffix'),
  nickName: inProfile('nickName'),
  displayName: inProfile('displayName'),
  preferredLanguage: (draft, value) => {
    draft.profile.preferredLanguage = value;
    if (value === 'en') Object.assign(draft.scim, languageGiven(value));
  },
  gender: inProfile('gender'),
  email: ({ email }, value) => {
    email.email = value;
  },
  emailVerified: ({ email }, value) => {
    email.isEmailVerified = flagOf('emailVerified', value);
  },
  phone: ({ phone }, value) => {
    phone.phone = value;
  },
  phoneVerified: ({ phone }, value) => {
    phone.isPhoneVerified = flagOf('phoneVerified', value);
  },
  active: ({ scim }, value) => {
    scim.active = flagOf('active', value);
  },
  created: ({ record: { user } }, value) => {
    Object.assign(user, requireDates({ created: value }));
  },
  lastModified: ({ record: { user } }, value) => {
    Object.assign(user, requireDates({ lastModified: value }));
  },
  password: ({ record: { user } }, value) => {
    user.password = value;
  },
  passwordHash: ({ record: { user } }, value) => {
    user.hashedPassword = { value: hashText(value) };
  },
  passwordChangeRequired: ({ record: { user } }, value) => {
    user.passwordChangeRequired = flagOf('passwordChangeRequired', value);
  },
  otpSecret: ({ record: { user } }, value) => {
    user.otpCode = value;
  },
  ...Object.fromEntries(plainTexts.map((name) => [name, inScim(name)])),
};

/** The targets that several attributes may have, and that have several values. */
const lists: readonly string[] = ['group', ...listTargets];

/** The targets of a mapping, besides `metadata:KEY`. */
export const targetNames = [...Object.keys(places), ...addressTargets, ...lists];

/** Whether the spaces at the ends of a value belong to it. */
export function isExactTarget(target: string): boolean {
  return target === 'password' || target === 'passwordHash';
}

/** Whether a target takes several values. */
export function takesSeveral(target: string): boolean {
  return lists.includes(target);
}

/** Whether a target is a part of a postal address. */
export function isOfAddress(target: string): boolean {
  return addressTargets.includes(target);
}

/**
 * Values that break a rule of these targets are left out with a note. A person must not be lost for a time zone. What decides who the person
 * is, and whether and how it may sign in, is an error instead.
 */
const rulesOf: Readonly<Record<string, (value: string) => unknown>> = {
  ...valueRules,
  preferredLanguage: (value) => requirePreferredLanguage('preferredLanguage', value),
  created: (value) => requireDates({ created: value }),
  lastModified: (value) => requireDates({ lastModified: value }),
};

/** How a value comes to its place. */
export interface Placement {
  readonly put: Put;
  /** Throws for a value that is left out. */
  readonly rule: ((value: string) => unknown) | undefined;
}

/** The placement of a target that takes one value. A target with an unknown name has none. */
export function placementOf(to: string): Placement {
  return { put: places[to] ?? (() => undefined), rule: rulesOf[to] };
}

/**
 * Writes a value to its place.
 * @param notes gets a note if the value is left out. It does not quote the value
 * @throws ConversionError when the target does not take the value, and the person cannot do without
 */
export function putValue(
  draft: DraftRecord,
  { placement, value }: { placement: Placement; value: string },
  notes: string[],
): void {
  const { put, rule } = placement;
  if (rule === undefined || isTakenBy(rule, value, notes)) put(draft, value);
}

function isTakenBy(rule: (value: string) => unknown, value: string, notes: string[]): boolean {
  try {
    rule(value);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) && !(error instanceof ConversionError)) throw error;
    notes.push(`${error.message}; left out`);
    return false;
  }
}

/** @throws ConversionError for a date that an import would refuse */
function requireDates(given: SourceDates): Pick<User, 'created' | 'lastModified'> {
  const notes: string[] = [];
  const dates = datesOf(given, notes);
  if (notes.length > 0) throw new ConversionError('notDate', { name: Object.keys(given).join() });
  return dates;
}

/** @throws ConversionError for a word that means neither true nor false */
function flagOf(name: string, value: string): boolean {
  const flag = readFlag(value);
  if (flag === undefined) throw new ConversionError('notFlag', { name });
  return flag;
}
