import type { HumanUserRecord } from '../format/human-user.record.js';

/** The names that an identity provider knows of a person. */
export interface KnownNames {
  readonly given?: string | undefined;
  readonly family?: string | undefined;
  readonly full?: string | undefined;
  readonly nick?: string | undefined;
  readonly email: string;
}

/**
 * Returns the profile of a person. Every user needs a first and a last name. If the provider has none, they come from
 * the full name, the nickname, or the local part of the address. A provider that knows no full name may put the address
 * in its place.
 */
export function personNames({
  given,
  family,
  full,
  nick,
  email,
}: KnownNames): HumanUserRecord['user']['profile'] {
  const realName = full?.includes('@') ? undefined : full;
  const [firstWord, ...otherWords] = realName?.split(/\s+/) ?? [];
  const anyName = nick ?? email.slice(0, email.indexOf('@'));
  return {
    firstName: given ?? firstWord ?? anyName,
    lastName: family ?? (otherWords.join(' ') || anyName),
    ...(nick !== undefined && { nickName: nick }),
    ...(realName !== undefined && { displayName: realName }),
  };
}
