import type { HumanUserRecord } from '../../format/human-user.record.js';

/** The names that an identity provider knows of a person. */
export interface KnownNames {
  readonly given?: string | undefined;
  readonly family?: string | undefined;
  readonly full?: string | undefined;
  readonly nick?: string | undefined;
  readonly email?: string | undefined;
}

/**
 * Returns the profile of a person. If the provider has no first or last name, they come from the full name, the nickname, or
 * the local part of the address. Otherwise they are absent. A provider that knows no full name may put the address in its
 * place. Another address there is a name to show, but no first or last name.
 */
export function personNames({
  given,
  family,
  full,
  nick,
  email,
}: KnownNames): NonNullable<HumanUserRecord['user']['profile']> {
  const realName = full?.includes('@') ? undefined : full;
  const [firstWord, ...otherWords] = realName?.split(/\s+/) ?? [];
  const anyName = nick ?? email?.slice(0, email.indexOf('@'));
  const firstName = given ?? firstWord ?? anyName;
  const lastName = family ?? (otherWords.join(' ') || anyName);
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(nick !== undefined && { nickName: nick }),
    ...(full !== undefined && full.toLowerCase() !== email?.toLowerCase() && { displayName: full }),
  };
}
