import type { HumanUserRecord } from '../../format/human-user.record.js';

type Profile = NonNullable<HumanUserRecord['user']['profile']>;

/** The names that an identity provider knows of a person. */
export interface KnownNames {
  readonly given?: string | undefined;
  readonly family?: string | undefined;
  readonly full?: string | undefined;
  readonly nick?: string | undefined;
  readonly email?: string | undefined;
}

/** How first and last names are made that the source does not have. */
export type NamesRule = 'given' | 'split' | 'address';

/** The people with a first or last name that a rule made. */
export interface MadeNames {
  readonly people: number;
  /** The rule `names` of the mapping, or the default. */
  readonly rule: NamesRule;
}

/** The names as the source has them. A provider that knows no full name may put the address in its place. */
export function personNames({ given, family, full, nick, email }: KnownNames): Profile {
  return {
    ...(given !== undefined && { firstName: given }),
    ...(family !== undefined && { lastName: family }),
    ...(nick !== undefined && { nickName: nick }),
    ...(full !== undefined && full.toLowerCase() !== email?.toLowerCase() && { displayName: full }),
  };
}

/**
 * The first and last name that a rule makes, as far as the profile lacks them. An address in the place of the full name makes none.
 * @param known `full`: the full name of the source. `address`: the address of the person
 */
export function madeNames(
  { firstName, lastName, nickName }: Profile,
  { full, address }: { readonly full: string | undefined; readonly address: string | undefined },
  rule: NamesRule,
): Pick<Profile, 'firstName' | 'lastName'> {
  if (rule === 'given' || (firstName !== undefined && lastName !== undefined)) return {};
  const ofFull = full === undefined || full.includes('@') ? {} : partsOf(full, { firstName, lastName });
  if (rule === 'split' || Object.keys(ofFull).length > 0) return ofFull;
  if (firstName !== undefined || lastName !== undefined) return {};
  const words = nickName?.split(/\s+/) ?? address?.slice(0, address.indexOf('@')).split(/[._]+/) ?? [];
  return namesOf(words);
}

/** What a full name says besides the part that is known. */
function partsOf(
  full: string,
  { firstName, lastName }: { readonly firstName: string | undefined; readonly lastName: string | undefined },
): Pick<Profile, 'firstName' | 'lastName'> {
  if (firstName === undefined && lastName === undefined) return namesOf(full.split(/\s+/));
  if (lastName === undefined) {
    const rest = full.startsWith(`${firstName} `) ? full.slice((firstName ?? '').length).trim() : '';
    return rest === '' ? {} : { lastName: rest };
  }
  const rest = full.endsWith(` ${lastName}`) ? full.slice(0, -lastName.length).trim() : '';
  return rest === '' ? {} : { firstName: rest };
}

function namesOf(words: readonly string[]): Pick<Profile, 'firstName' | 'lastName'> {
  const [first, ...others] = words.filter((word) => word !== '');
  const last = others.join(' ');
  return { ...(first !== undefined && { firstName: first }), ...(last !== '' && { lastName: last }) };
}
