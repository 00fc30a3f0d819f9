import {
  type Organization,
  type PasswordPolicy,
  requireEmail,
  requireUserName,
} from '#src/directory/index.js';
import type { Language } from '#src/http/base/language.js';
import type { PasswordHasher } from '#src/keys/password-hasher.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { UserCounter } from '#src/people/totals/index.js';
import { type BatchNewUser, type FindTaken, newUser, requireFreeValues } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { nameError } from '../http/name-error.js';
import { newPasswordErrors } from '../http/new-password.js';
import type { Newcomer } from '../stores/login-steps.store.js';
import { texts } from '../texts/texts.js';

/** The form with which a person registers. */
export interface Registration {
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
  readonly userName: string;
  /** Absent where no password signs in. */
  readonly password?: string;
}

interface RegisterUserDeps {
  readonly batchNewUser: BatchNewUser;
  readonly users: FindTaken;
  readonly passwords: PasswordHasher;
  readonly quotas: Pick<Quotas, 'exceeded' | 'left' | 'within'>;
  readonly userCounter: UserCounter;
  readonly clock: Clock;
}

/** What is wrong with a registration, by field. */
export type RegistrationErrors = Partial<Record<keyof Registration, string>>;

/** Checks the form of a person who registers. */
export function registrationErrors(
  entered: Registration,
  policy: PasswordPolicy,
  language: Language,
): RegistrationErrors {
  const t = texts[language];
  const { password } = entered;
  const found = {
    givenName: nameError(entered.givenName, t),
    familyName: nameError(entered.familyName, t),
    email: fits(() => requireEmail(entered.email)) ? undefined : t.wrongEmail,
    // With an @, a person could take the name that another person types: an email address, or a name with a
    // domain.
    userName:
      !entered.userName.includes('@') && fits(() => requireUserName(entered.userName))
        ? undefined
        : t.wrongLoginName,
    password: password === undefined ? undefined : newPasswordErrors({ password }, policy, language).password,
  };
  return Object.fromEntries(Object.entries(found).filter(([, error]) => error !== undefined));
}

/**
 * Refuses a registration for which the organization has no room, before its costly part. It reserves nothing.
 * @throws AppError `directory.quotaExceeded`
 */
export async function requireRoom(
  { quotas }: Pick<RegisterUserDeps, 'quotas'>,
  { id: orgId }: Organization,
): Promise<void> {
  if ((await quotas.left(orgId, 'users')) === 0) throw await quotas.exceeded(orgId, 'users');
}

/**
 * Makes the account of the person who registers. It writes nothing. The email address stays unverified, so it is not a login name.
 * @throws AppError `directory.userNameTaken`, and the errors of the rules for values
 */
export async function makeNewcomer(
  deps: RegisterUserDeps,
  request: { organization: Organization; entered: Registration; language: Language },
): Promise<Newcomer> {
  const { organization, entered, language } = request;
  const { givenName, familyName, email, userName, password } = entered;
  const profile = {
    userName,
    name: { givenName, familyName },
    emails: [{ value: email, primary: true, verified: false }],
    preferredLanguage: language,
  };
  const newcomer = await newUser(deps, organization, {
    profile,
    ...(password !== undefined && { password }),
  });
  // With a password, this was looked up before it was hashed.
  if (password === undefined) await requireFreeValues(deps.users, organization, newcomer.user);
  return newcomer;
}

/** Stores the account of a person who registers. @throws AppError `directory.userNameTaken`, `directory.quotaExceeded` */
export async function storeNewcomer(
  deps: RegisterUserDeps,
  organization: Organization,
  newcomer: Newcomer,
): Promise<void> {
  const editor = { userId: newcomer.user.id, service: 'login' };
  await deps.quotas.within(organization.id, { users: 1 }, () =>
    deps.batchNewUser({ organization, added: newcomer, editor }),
  );
  await deps.userCounter.changed(organization.id);
}

function fits(rule: () => unknown): boolean {
  try {
    rule();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
