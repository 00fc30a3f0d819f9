import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization, type User } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import type { UsersStore } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Logger } from '#src/platform/logger.js';
import type { Cache } from '#src/platform/redis/cache.js';
import type { MailLink, NoMail } from './make-one-time-link.js';

export interface MailDeps {
  /** Absent: the service has no mail server. */
  readonly mailLink: MailLink | undefined;
  readonly logger: Logger;
}

/** Why a user gets no mail, as an error. */
const refusals = {
  noAddress: directoryErrors.mailAddressMissing,
  tooManyMails: directoryErrors.mailsLimit,
  mailFailed: directoryErrors.mailFailed,
} as const satisfies Record<NoMail | 'mailFailed', unknown>;

/**
 * Mails a one-time link to a user. Returns why the user got none, or undefined. A failure of the mail server is logged.
 * @throws AppError `directory.mailMissing`, and those of `makeOneTimeLink`
 */
export async function tryMailing(
  { logger, mailLink }: MailDeps,
  to: { user: User; organization: Organization; editor: Editor },
): Promise<keyof typeof refusals | undefined> {
  if (mailLink === undefined) throw new AppError(directoryErrors.mailMissing);
  try {
    return await mailLink({ ...to, language: 'en' });
  } catch (error) {
    if (error instanceof AppError) throw error;
    logger.warn({ err: error, userId: to.user.id }, 'a one-time link could not be sent by mail');
    return 'mailFailed';
  }
}

/**
 * Mails a one-time link to one user.
 * @throws AppError `directory.organizationNotFound`, `directory.mailMissing`, `directory.userNotFound`,
 * `directory.mailAddressMissing`, `directory.mailsLimit` or `directory.mailFailed`
 */
export async function mailOneTimeLink(
  deps: MailDeps & {
    readonly caches: { readonly organizations: Pick<Cache<Organization | undefined>, 'get'> };
    readonly users: Pick<UsersStore, 'find'>;
  },
  { orgId, userId, editor }: { orgId: string; userId: string; editor: Editor },
): Promise<void> {
  const organization = await requireOrganization(deps.caches.organizations.get, orgId);
  const user = await deps.users.find(orgId, userId);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  const refused = await tryMailing(deps, { user, organization, editor });
  if (refused !== undefined) throw new AppError(refusals[refused]);
}
