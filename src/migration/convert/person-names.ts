import type { HumanUserRecord } from '../format/human-user.record.js';

/** The names that an identity provider has of a person; all but the address may be absent. */
export interface KnownNames {
  readonly given?: string | undefined;
  readonly family?: string | undefined;
  readonly full?: string | undefined;
  readonly nick?: string | undefined;
  readonly email: string;
}

/**
 * First and last name, which every user must have, from what there is: the full name's first word and the rest, the
 * nickname, the local part of the address. Providers that know no full name put the address in its place.
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
