import type { NewAccount } from '#src/authentication/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { requireOrganization } from '#src/organizations/index.js';
import { writeNewUsers } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import { isDuplicateKey } from '#src/platform/mongo/duplicate-key.js';
import type { BegunSignIn } from '../http/begun-sign-in.js';
import { asksForProof, mailFirstProof } from '../http/prove-address.js';
import { refuseForm } from '../http/refused-form.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { Newcomer } from '../stores/login-steps.store.js';
import { isFull, registerPath } from './register-page.js';

type AddDeps = Pick<LoginNeeds, 'events' | 'mongo' | 'quotas' | 'userCounter' | 'users'>;

/** How the account of a person who registers is added together with its first factor. Undefined for an account that is stored. */
export function newAccountOf(deps: AddDeps, newcomer: Newcomer | undefined): NewAccount | undefined {
  if (newcomer === undefined) return undefined;
  return { account: newcomer, add: (alongside) => addNewcomer(deps, newcomer, alongside) };
}

/** @throws AppError `directory.userNameTaken`, `directory.quotaExceeded` */
async function addNewcomer(
  deps: AddDeps,
  newcomer: Newcomer,
  alongside: Parameters<NewAccount['add']>[0],
): Promise<void> {
  const { id, orgId } = newcomer.user;
  const editor = { userId: id, service: 'login' };
  await deps.quotas.within(orgId, { users: 1 }, () =>
    deps.mongo.transactionOf(orgId, async (transaction) => {
      await writeNewUsers(deps, { orgId, added: [newcomer], editor }, transaction).catch((error: unknown) => {
        throw isDuplicateKey(error) ? new AppError(directoryErrors.userNameTaken) : error;
      });
      await alongside(transaction);
    }),
  );
  await deps.userCounter.changed(orgId);
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
 */
export function refuseNewcomer(
  deps: Parameters<typeof refuseForm>[0],
  reply: HttpExchange['reply'],
  { visit, newcomer, error }: Pick<BegunSignIn, 'visit' | 'newcomer'> & { readonly error: unknown },
): HttpExchange['reply'] {
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
