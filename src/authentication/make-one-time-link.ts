import type { OneTimeLink, OneTimeLinksStore } from '#src/accounts/index.js';
import type { Editor, Event } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import type { Versioned } from '#src/audit/new-event.js';
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

const daySeconds = 24 * 3600;

interface NewOneTimeLink {
  readonly editor: Editor;
  /** The address that receives the link. Using the link verifies that address. */
  readonly mailedTo?: string;
  readonly lifeSeconds?: number;
}

/** A link that is not stored yet, and its event. Only its hash is stored. */
interface UnstoredLink {
  readonly secret: string;
  readonly link: OneTimeLink;
  readonly event: Event;
}

/**
 * Makes the secret of a link that sets the password of the user. The link works once, within a day. Earlier links of
 * the user become invalid. Returns the secret this once. The store has only its hash.
 * @throws AppError `directory.userNotFound`
 */
export async function makeOneTimeLink(
  { mongo, users, oneTimeLinks, events, clock }: MakeOneTimeLinkDeps,
  { orgId, userId, ...wanted }: { orgId: string; userId: string } & NewOneTimeLink,
): Promise<{ secret: string; expires: Date }> {
  const user = await users.find(orgId, userId);
  if (user === undefined) throw new AppError(directoryErrors.userNotFound);
  const { secret, link, event } = newOneTimeLink({ ...user, lastModified: clock.now() }, wanted);
  await inLine(['user', userId, wanted.editor.userId], () =>
    mongo.transactionOf(orgId, async (transaction) => {
      await oneTimeLinks.put(link, transaction);
      await events.append([event], transaction);
    }),
  );
  return { secret, expires: link.expires };
}

/** Makes a link of the user, from the moment of its last change on. The caller stores the link with its event. */
export function newOneTimeLink(
  user: Versioned,
  { editor, mailedTo, lifeSeconds = daySeconds }: NewOneTimeLink,
): UnstoredLink {
  const secret = newSecret();
  const { id: userId, orgId, lastModified: created } = user;
  const expires = new Date(created.getTime() + lifeSeconds * 1000);
  const added = userEvent('user.human.link.added', user, editor, { expires: expires.toISOString() });
  // The mail with the link tells the person.
  const event: Event = mailedTo === undefined ? added : { ...added, notice: 'none' };
  const hash = hashSecret(secret);
  const link: OneTimeLink = {
    ...{ hash, userId, orgId, created, expires },
    ...(mailedTo !== undefined && { mailedTo }),
    ...(editor.userId !== userId && { byAdministrator: true }),
  };
  return { secret, link, event };
}
