import type { OneTimeLinksStore } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { directoryErrors, inLine, type Organization, type User } from '#src/directory/index.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { type UsersStore, userEvent } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import type { Mongo } from '#src/platform/mongo/mongo.js';

export interface MakeOneTimeLinkDeps {
  readonly mongo: Mongo;
  readonly users: UsersStore;
  readonly oneTimeLinks: OneTimeLinksStore;
  readonly events: EventsStore;
  readonly clock: Clock;
}

/** Why a user got no mail with a link. */
export type NoMail = 'noAddress' | 'tooManyMails';

/**
 * Makes a one-time link for a user and mails it to the primary address. Returns why the user got none, or undefined.
 * @throws the error of the mail server
 */
export type MailLink = (request: {
  readonly user: User;
  readonly organization: Organization;
  readonly editor: Editor;
  /** The language of the mail, if the user has not chosen one. */
  readonly language: string;
}) => Promise<NoMail | undefined>;

const lifeSeconds = 24 * 3600;

/**
 * Makes the secret of a link that sets the password of the user. The link works once, within a day. Earlier links of
 * the user become invalid. Returns the secret this once. The store has only its hash.
 * @param request with `mailedTo`, the address that receives the link, using the link verifies that address
 * @throws AppError `directory.userNotFound`
 */
export async function makeOneTimeLink(
  { mongo, users, oneTimeLinks, events, clock }: MakeOneTimeLinkDeps,
  { orgId, userId, editor, mailedTo }: { orgId: string; userId: string; editor: Editor; mailedTo?: string },
): Promise<{ secret: string; expires: Date }> {
  const user = await users.find(orgId, userId);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  const secret = newSecret();
  const created = clock.now();
  const expires = new Date(created.getTime() + lifeSeconds * 1000);
  const event = userEvent('user.human.link.added', { ...user, lastModified: created }, editor, {
    expires: expires.toISOString(),
  });
  const link = {
    hash: hashSecret(secret),
    userId,
    orgId,
    created,
    expires,
    ...(mailedTo !== undefined && { mailedTo }),
  };
  await inLine(['user', userId, editor.userId], () =>
    mongo.transactionOf(orgId, async (transaction) => {
      await oneTimeLinks.put(link, transaction);
      await events.append([event], transaction);
    }),
  );
  return { secret, expires };
}
