import type { NewAccount } from '#src/authentication/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { requireOrganization } from '#src/organizations/index.js';
import { writeNewUsers } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { type BegunSignIn, signInAgain } from '../http/begun-sign-in.js';
import { asksForProof, mailFirstProof } from '../http/prove-address.js';
import { refuseForm } from '../http/refused-form.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { Newcomer } from '../stores/login-steps.store.js';
import { isFull, registerPath } from './register-page.js';
import { registrationWay } from './ways-to-register.js';

type AddDeps = Pick<
  LoginNeeds,
  'caches' | 'clock' | 'config' | 'events' | 'mailer' | 'mongo' | 'quotas' | 'userCounter' | 'users'
>;

/** An account that waited is not stored: it was stored before, or nobody may register in its organization any more. */
class RegistrationEnded extends Error {}

/** How the account of a person who registers is added together with its first factor. Undefined for an account that is stored. */
export function newAccountOf(deps: AddDeps, newcomer: Newcomer | undefined): NewAccount | undefined {
  if (newcomer === undefined) return undefined;
  return { account: newcomer, add: (alongside) => addNewcomer(deps, newcomer, alongside) };
}

/**
 * The account begins when it is stored. With the time of the form, it would get login names before accounts that were stored earlier.
 * @throws AppError `directory.userNameTaken`, `directory.quotaExceeded`
 * @throws RegistrationEnded
 */
async function addNewcomer(
  deps: AddDeps,
  newcomer: Newcomer,
  alongside: Parameters<NewAccount['add']>[0],
): Promise<void> {
  const { id, orgId } = newcomer.user;
  const editor = { userId: id, service: 'login' };
  const now = deps.clock.now();
  const added = [{ ...newcomer, user: { ...newcomer.user, created: now, lastModified: now } }];
  const organization = await deps.caches.organizations.get(orgId);
  if (registrationWay(deps, organization) === undefined) throw new RegistrationEnded();
  await requireFirstTime(deps, id);
  await deps.quotas.within(orgId, { users: 1 }, () =>
    deps.mongo.transactionOf(orgId, async (transaction) => {
      await requireFirstTime(deps, id, transaction);
      await writeNewUsers(deps, { orgId, added, editor }, transaction).catch((error: unknown) => {
        throw isDuplicateKey(error) ? new AppError(directoryErrors.userNameTaken) : error;
      });
      await alongside(transaction);
    }),
  );
  await deps.userCounter.changed(orgId);
}

/** An identifier is stored once, also if its user was removed since. The event of its beginning stays. */
async function requireFirstTime(
  { events }: Pick<AddDeps, 'events'>,
  id: string,
  transaction?: Transaction,
): Promise<void> {
  if ((await events.begunBy('user.human.added', [id], transaction)).size > 0) throw new RegistrationEnded();
}

/** Mails the code for the address of a person who has just been added, unless the sign-in asks for it and mails it then. */
export async function welcomeNewcomer(
  deps: Parameters<typeof mailFirstProof>[0] & Pick<LoginNeeds, 'caches'>,
  { visit, account: { user }, newcomer }: Pick<BegunSignIn, 'visit' | 'account' | 'newcomer'>,
): Promise<void> {
  if (newcomer === undefined) return;
  const organization = await requireOrganization(deps.caches.organizations.get, user.orgId);
  const { language } = visit;
  if (!asksForProof(organization)) await mailFirstProof(deps, { user, isToSignIn: false, language });
}

/**
 * Answers a person who registers and could not be added: another person got the login name meanwhile, or the organization is full. The
 * form of the registration comes back with what the person typed. Throws every other error, and each one of an account that is stored.
 * @throws GoesOn to the login page if the account was stored before, or nobody may register any more
 */
export async function refuseNewcomer(
  deps: Parameters<typeof refuseForm>[0] & Pick<LoginNeeds, 'config' | 'loginSteps'>,
  reply: HttpExchange['reply'],
  { visit, newcomer, error }: Pick<BegunSignIn, 'visit' | 'newcomer'> & { readonly error: unknown },
): Promise<HttpExchange['reply']> {
  if (error instanceof RegistrationEnded) {
    await deps.loginSteps.remove(visit.agent.hash, visit.flow);
    throw signInAgain(deps, visit);
  }
  const id = error instanceof AppError ? error.definition.id : undefined;
  const page = { visit, path: registerPath, query: { request: visit.flow } };
  if (newcomer !== undefined && id === directoryErrors.quotaExceeded.id)
    return refuseForm(deps, reply.code(403), page, { alert: isFull });
  if (newcomer === undefined || id !== directoryErrors.userNameTaken.id) throw error;
  const { userName, name, emails } = newcomer.user;
  const { givenName = '', familyName = '' } = name;
  const typed = { givenName, familyName, email: emails[0]?.value ?? '', userName };
  return refuseForm(deps, reply.code(409), page, {
    typed,
    errors: { userName: visit.texts.loginNameTaken },
  });
}
