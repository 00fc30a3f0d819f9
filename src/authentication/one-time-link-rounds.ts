import { setTimeout } from 'node:timers/promises';
import { type AuthorityDeps, requireAuthority } from '#src/access/authority/index.js';
import type { AccountsStore, OneTimeLinksStore } from '#src/accounts/index.js';
import type { Editor } from '#src/audit/event.js';
import { directoryErrors, type Organization, type User } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type MailDeps, tryMailing } from './mail-one-time-link.js';
import { type MakeOneTimeLinkDeps, makeOneTimeLink } from './make-one-time-link.js';
import { usersWithoutPassword } from './users-without-password.js';

interface LinkRoundDeps extends MakeOneTimeLinkDeps, MailDeps, AuthorityDeps {
  readonly accounts: Pick<AccountsStore, 'all'>;
  readonly oneTimeLinks: OneTimeLinksStore;
  readonly caches: AuthorityDeps['caches'] & {
    readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
  };
}

interface NewRound {
  readonly orgId: string;
  /** `answer`: the caller gets the links. `mail`: each user gets the link by mail. */
  readonly delivery: 'answer' | 'mail';
  /** Leave out users who have a valid link. */
  readonly withoutLink: boolean;
  readonly editor: Editor;
}

/** What a user got: a link that the caller hands over, a mail, or neither for a reason. */
export type LinkOutcome =
  | { readonly secret: string; readonly expires: Date }
  | { readonly mailed: true }
  | { readonly skipped: string };

interface LinkRound {
  /** Makes the links while it is read. It throws what a store throws. */
  readonly outcomes: AsyncIterable<{ readonly user: User; readonly outcome: LinkOutcome }>;
  /** Lets the next round of the organization begin. Call it in any case, also if nobody read the outcomes. */
  end(): void;
}

/** Begins rounds of one-time links. */
export interface OneTimeLinkRounds {
  /**
   * Begins a round: a link for each active user of an organization without a password. Users with more rights than the caller are
   * skipped. In each process, an organization has one round at a time.
   * @throws AppError `directory.organizationNotFound`, `directory.mailMissing`, `directory.linksUnderWay`
   */
  begin(round: NewRound): Promise<LinkRound>;
}

/** The time between two mails, in milliseconds. Mail servers refuse a flood. */
const mailPauseMs = 200;

/** Returns the rounds of this process. */
export function createOneTimeLinkRounds(deps: LinkRoundDeps): OneTimeLinkRounds {
  const underWay = new Set<string>();
  return {
    async begin(round) {
      const { orgId, delivery } = round;
      const organization = await requireOrganization(deps.caches.organizations.get, orgId);
      if (delivery === 'mail' && deps.mailLink === undefined) throw new AppError(directoryErrors.mailMissing);
      if (underWay.has(orgId)) throw new AppError(directoryErrors.linksUnderWay);
      underWay.add(orgId);
      return {
        outcomes: outcomesOf(deps, round, organization),
        end: () => {
          underWay.delete(orgId);
        },
      };
    },
  };
}

async function* outcomesOf(
  deps: LinkRoundDeps,
  { orgId, delivery, withoutLink, editor }: NewRound,
  organization: Organization,
): AsyncGenerator<{ user: User; outcome: LinkOutcome }> {
  const deliver = (user: User) =>
    delivery === 'mail'
      ? mailed(deps, { user, organization, editor })
      : makeOneTimeLink(deps, { orgId, userId: user.id, editor });
  for await (const user of usersWithoutPassword(deps, orgId, { withoutLink })) {
    const rights = { callerId: editor.userId, orgId, userId: user.id, purpose: 'credentials' } as const;
    const outcome = await requireAuthority(deps, rights).then(() => deliver(user), skippedBy);
    yield { user, outcome };
  }
}

async function mailed(
  deps: MailDeps,
  to: { user: User; organization: Organization; editor: Editor },
): Promise<LinkOutcome> {
  const refused = await tryMailing(deps, to);
  if (refused !== undefined) return { skipped: refused };
  await setTimeout(mailPauseMs);
  return { mailed: true };
}

/** @throws every error but that of a user with more rights than the caller */
function skippedBy(error: unknown): LinkOutcome {
  if (error instanceof AppError && error.definition === directoryErrors.userOutranksCaller)
    return { skipped: 'outranksCaller' };
  throw error;
}
