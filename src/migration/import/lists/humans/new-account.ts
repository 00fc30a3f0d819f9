import { sealTotpSecret } from '#src/accounts/index.js';
import { loginNamesFrom, type NewUser } from '#src/people/users/index.js';
import { newId } from '#src/platform/ids.js';
import type { SectionContext } from '../section/section.js';
import { importedAt } from '../shared/imported-dates.js';
import type { HumanUserInput } from './read/human-user-input.js';
import type { HumanUsersDeps } from './users-survey.js';

/** The most passwords that one part hashes at once. Several parts share the queue of the hasher. */
const hashesAtOnce = 4;

/** Returns the user that a record adds. If the record has a password in plain text, {@link withHashes} adds its hash. */
export function newAccount(
  { totpSealer, hashFingerprints }: Pick<HumanUsersDeps, 'totpSealer' | 'hashFingerprints'>,
  { orgId, now }: Pick<SectionContext, 'orgId' | 'now'>,
  { id = newId(), profile, hash, totpSecret, ...rest }: HumanUserInput,
): NewUser {
  const { password, passwordChangeRequired, recovery, dates } = rest;
  // However old the user is, nobody had the names here before: see decision 0016.
  const loginNamesSince = dates.created < now && loginNamesFrom(profile, now);
  const hasPassword = hash !== undefined || password !== undefined;
  return {
    user: {
      ...profile,
      id,
      orgId,
      version: 1,
      ...dates,
      ...importedAt(dates, now),
      ...(loginNamesSince && { loginNamesSince }),
    },
    ...(hash !== undefined && {
      password: { hash, changed: now, ...(passwordChangeRequired && { changeRequired: true }) },
    }),
    ...(totpSecret !== undefined && {
      totp: {
        sealed: sealTotpSecret(totpSealer, id, totpSecret),
        lastStep: 0,
        enrolled: now,
        ...(recovery && { recovery }),
      },
    }),
    ...((hasPassword || totpSecret !== undefined) && {
      importedCredentials: {
        ...(hasPassword && { password: now }),
        ...(hash !== undefined && { passwordHash: hashFingerprints.of(id, hash) }),
        ...(totpSecret !== undefined && { totp: now }),
      },
    }),
  };
}

/** A user, and the record that it is made of. */
export interface UserOfRecord {
  readonly input: HumanUserInput;
  readonly added: NewUser;
}

/** Returns the users with hashes of the passwords that their records have in plain text. It computes a few at once. */
export async function withHashes(
  { passwords }: Pick<HumanUsersDeps, 'passwords'>,
  { orgId, now }: Pick<SectionContext, 'orgId' | 'now'>,
  made: readonly UserOfRecord[],
): Promise<NewUser[]> {
  const users = made.map(({ added }) => added);
  const place = { purpose: 'other', orgId } as const;
  const left = made.flatMap(({ input: { password, passwordChangeRequired } }, index) =>
    password === undefined ? [] : [{ password, passwordChangeRequired, index }],
  );
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { password, passwordChangeRequired, index } = next;
      const hash = await passwords.hash(password, place);
      users[index] = {
        ...(users[index] as NewUser),
        password: { hash, changed: now, ...(passwordChangeRequired && { changeRequired: true }) },
      };
    }
  };
  await Promise.all(Array.from({ length: hashesAtOnce }, work));
  return users;
}
