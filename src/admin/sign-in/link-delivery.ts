import Type from 'typebox';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization, type User } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import type { AdminNeeds } from '../needs/needs.js';

/** A property of a body: how users get their links. */
export function linkDelivery(description: string) {
  return Type.Optional(
    Type.Unsafe<'answer' | 'mail'>({
      type: 'string',
      enum: ['answer', 'mail'],
      default: 'answer',
      description,
    }),
  );
}

/** Why a user gets no mail, as an error. */
const refusals = {
  noAddress: directoryErrors.mailAddressMissing,
  tooManyMails: directoryErrors.mailsLimit,
  mailFailed: directoryErrors.mailFailed,
} as const;

type MailDeps = Pick<AdminNeeds, 'logger' | 'mailLink'>;

/**
 * Mails a one-time link to a user. Returns why the user got none, or undefined.
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
 * Mails a one-time link to the user of a path.
 * @throws AppError `directory.mailMissing`, `directory.userNotFound`, `directory.mailAddressMissing`,
 * `directory.mailsLimit` or `directory.mailFailed`
 */
export async function mailOneTimeLink(
  deps: MailDeps & Pick<AdminNeeds, 'caches' | 'users'>,
  { orgId, userId, editor }: { orgId: string; userId: string; editor: Editor },
): Promise<void> {
  const organization = await requireOrganization(deps.caches.organizations.get, orgId);
  const user = await deps.users.find(orgId, userId);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  const refused = await tryMailing(deps, { user, organization, editor });
  if (refused !== undefined) throw new AppError(refusals[refused]);
}
