import type {
  Account,
  ImportedCredentials,
  PasswordCredential,
  TotpCredential,
} from '#src/accounts/index.js';
import type { EventType } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { UserProfile } from '#src/directory/index.js';
import { type ChangedUser, changedUser, normalizeProfile } from '#src/people/users/index.js';
import type { SectionContext } from '../../section/section.js';
import type { HumanUserInput, RulesOfUsers } from '../read/human-user-input.js';
import { emptiedPaths } from './emptied-paths.js';
import { isAsImported } from './imported-credentials.js';
import { mergedProfile } from './merged-profile.js';
import { type CompareDeps, hasHash, hasSecret, recordDifferences, withVerified } from './user-differences.js';

const noPaths: ReadonlySet<string> = new Set();

/** A credential as records name it. */
type KeptCredential = 'hashedPassword' | 'password' | 'otpCode';

/** The events of every change of a credential, also of its removal. */
const passwordChanges = ['user.human.password.changed'] as const;
const totpChanges = ['user.human.mfa.otp.added', 'user.human.mfa.otp.removed'] as const;

/** What a stored user takes over from a record. */
export interface UserUpdate {
  readonly known: Account;
  readonly input: HumanUserInput;
  /** The names of what the user takes over, as in `userDifferences`. If there are none, the update changes nothing of the user. */
  readonly names: readonly string[];
  /** The credentials of the record that the user does not take, because they were chosen, changed or removed here. */
  readonly keptCredentials: readonly KeptCredential[];
  /** The profile afterwards. */
  readonly profile: UserProfile;
  readonly takesPassword: boolean;
  readonly takesTotp: boolean;
}

/**
 * Returns what a stored user takes over from a record: the attributes that the record mentions, and credentials that nobody has changed
 * since an import gave them. It ignores what `userDifferences` ignores. A password in plain text counts as another one, whatever it is: no
 * answer may depend on whether it is that of the stored hash.
 * @param of `rules` of the organization; `stated`: the attributes that the source says of every person
 * @throws AppError of the rules for values
 */
export async function updateOf(
  deps: CompareDeps & { readonly events: Pick<EventsStore, 'search'> },
  {
    known,
    input,
    rules,
    stated,
  }: {
    known: Account;
    input: HumanUserInput;
    rules: RulesOfUsers | undefined;
    stated: ReadonlySet<string> | undefined;
  },
): Promise<UserUpdate> {
  const { user } = known;
  const { hash, password, totpSecret } = input;
  const { languageGiven } = input;
  const differ = (profile: UserProfile) =>
    recordDifferences(user, { profile, languageGiven }, rules?.extensionSchemas);
  const isSame = differ(input.profile).length === 0;
  const emptied = isSame ? noPaths : await emptiedPaths(deps, user, { input, stated });
  const profile = isSame
    ? user
    : withVerified(user, normalizeProfile(mergedProfile(user, input, emptied), rules, user));
  const { password: passwordAt, totp: totpAt } = known.importedCredentials ?? {};
  const ofPassword = { imported: passwordAt, current: known.password?.changed, changes: passwordChanges };
  const ofTotp = { imported: totpAt, current: known.totp?.enrolled, changes: totpChanges };
  const isOtherHash = hash !== undefined && known.password?.hash !== hash;
  const hasText = password !== undefined;
  const isOtherSecret = totpSecret !== undefined && !hasSecret(deps, known, totpSecret);
  const mayTakePassword = (isOtherHash || hasText) && (await isAsImported(deps, user, ofPassword));
  const mayTakeTotp = isOtherSecret && (await isAsImported(deps, user, ofTotp));
  const takesHash = isOtherHash && mayTakePassword && !hasHash(deps, known, hash);
  const takesText = hasText && mayTakePassword;
  const takesTotp = isOtherSecret && mayTakeTotp;
  const keptCredentials: KeptCredential[] = [
    ...(isOtherHash && !mayTakePassword ? (['hashedPassword'] as const) : []),
    ...(hasText && !mayTakePassword ? (['password'] as const) : []),
    ...(isOtherSecret && !mayTakeTotp ? (['otpCode'] as const) : []),
  ];
  const names = [
    ...(isSame ? [] : differ(profile)),
    ...(takesHash ? ['hashedPassword'] : []),
    ...(takesTotp ? ['otpCode'] : []),
    ...(takesText ? ['password'] : []),
  ];
  return { known, input, names, keptCredentials, profile, takesPassword: takesHash || takesText, takesTotp };
}

/** The credentials that a user gets from a record. */
interface GivenCredentials {
  readonly password?: PasswordCredential | undefined;
  readonly totp?: TotpCredential | undefined;
  readonly importedCredentials?: ImportedCredentials | undefined;
}

/**
 * Returns the user after the update, with its events. `lastModified` is that of the record, if that is later than the last change here.
 * @param given the credentials of the record
 */
export function updatedUser(
  { known, input, profile, takesPassword, takesTotp }: UserUpdate,
  given: GivenCredentials,
  { now, editor }: Pick<SectionContext, 'now' | 'editor'>,
): ChangedUser {
  const { user: current, importedCredentials } = known;
  const password = takesPassword ? given.password : undefined;
  const totp = takesTotp ? given.totp : undefined;
  const credentials: EventType[] = [
    ...(password ? (['user.human.password.changed'] as const) : []),
    ...(totp ? (['user.human.mfa.otp.added'] as const) : []),
  ];
  const { lastModified } = input.dates;
  const step = { credentials, now, editor, ...(lastModified > current.lastModified && { lastModified }) };
  // Whoever required another password still does, unless the record says otherwise.
  const { passwordChangeRequired = known.password?.changeRequired === true } = input;
  return {
    current,
    ...changedUser(current, profile, step),
    ...(password && {
      password: {
        hash: password.hash,
        changed: password.changed,
        ...(passwordChangeRequired && { changeRequired: true as const }),
      },
    }),
    ...(totp && { totp }),
    ...((password || totp) && {
      importedCredentials: takenNotes(importedCredentials, given.importedCredentials, { password, totp }),
    }),
  };
}

/** The notes about the credentials that are taken, and the earlier notes about the others. */
function takenNotes(
  before: ImportedCredentials = {},
  given: ImportedCredentials = {},
  taken: Pick<GivenCredentials, 'password' | 'totp'> = {},
): ImportedCredentials {
  const ofPassword = taken.password ? given : before;
  const ofTotp = taken.totp ? given : before;
  return {
    ...(ofPassword.password && { password: ofPassword.password }),
    ...(ofPassword.passwordHash !== undefined && { passwordHash: ofPassword.passwordHash }),
    ...(ofTotp.totp && { totp: ofTotp.totp }),
  };
}

/** Whether the update changes a credential, the address that receives links, or whom a connection links with the user. */
export function changesSignIn({ known, names, profile, takesPassword, takesTotp }: UserUpdate): boolean {
  if (takesPassword || takesTotp || names.includes('clientExternalIds')) return true;
  return mailAddress(profile) !== mailAddress(known.user);
}

/** The account after an update, for the records that follow. */
export function accountAfter(
  { known, profile, takesPassword, takesTotp }: UserUpdate,
  given: GivenCredentials,
): Account {
  const { id, orgId, version, created, imported, lastModified } = known.user;
  const password = takesPassword ? given.password : known.password;
  const totp = takesTotp ? given.totp : known.totp;
  return {
    user: { ...profile, id, orgId, version, created, lastModified, ...(imported && { imported }) },
    ...(password && { password }),
    ...(totp && { totp }),
    ...(given.importedCredentials && { importedCredentials: given.importedCredentials }),
  };
}

function mailAddress({ emails }: UserProfile): string | undefined {
  return emails.find(({ primary }) => primary)?.value;
}
