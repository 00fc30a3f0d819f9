import type { FastifyReply } from 'fastify';
import { listPasskeys, relyingPartyOf } from '#src/authentication/passkeys/index.js';
import { listBrowsers } from '#src/authentication/remembered-browsers/index.js';
import { mayAdminister, type User } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo } from '#src/http/pages/page-address.js';
import { showVisit } from '../../http/pages.js';
import type { LoginNeeds } from '../../needs/needs.js';
import type { ShownConsent } from './account-lists.js';
import { type AccountErrors, accountPage, type TypedProfile } from './account-page.js';
import { ownIdentities } from './identity-section.js';
import { type AccountQuery, accountAddress, type Member } from './member.js';

/** The most consents on the page. */
const maxConsents = 100;

/** What the account page says about a form. */
interface AccountMessages {
  readonly errors?: AccountErrors;
  /** What was typed into the form of the profile. */
  readonly typed?: TypedProfile;
  readonly alert?: string;
  readonly notice?: string | undefined;
}

/** Shows the account page. The caller sets the status. */
export async function showAccount(
  deps: Pick<
    LoginNeeds,
    | 'applications'
    | 'caches'
    | 'clock'
    | 'config'
    | 'consents'
    | 'identityLinks'
    | 'mailer'
    | 'rememberedBrowsers'
    | 'sessions'
    | 'webauthnCredentials'
  >,
  { reply }: Pick<HttpExchange, 'reply'>,
  { member, errors = {}, typed = {}, ...messages }: AccountMessages & { readonly member: Member },
): Promise<FastifyReply> {
  const { visit, account } = member;
  const party = relyingPartyOf(deps.config);
  const [sessions, consents, roles, passkeys, browsers, identities] = await Promise.all([
    deps.sessions.ofUser(account.user.id),
    consentsOf(deps, account.user),
    deps.caches.memberships.get(account.user.id),
    // Also those of another RP ID, which the account does not count.
    listPasskeys(deps, account.user),
    listBrowsers(deps, account),
    ownIdentities(deps, member),
  ]);
  const administers = mayAdminister(roles);
  const content = accountPage(deps, member, {
    ...{ sessions, browsers, identities, consents, administers, errors, typed },
    passkeys: party && { passkeys, party },
  });
  return showVisit(
    deps,
    { reply },
    { visit, title: visit.texts.account, content, isWide: true, ...messages },
  );
}

/** Leads back to the account page after a form. */
export function goToAccount(
  deps: Pick<LoginNeeds, 'config'>,
  reply: FastifyReply,
  query: AccountQuery,
): FastifyReply {
  return goTo(reply, accountAddress(deps, '/account', query));
}

/** The consents of a person whose applications exist, the latest first. */
async function consentsOf(
  { consents, applications }: Pick<LoginNeeds, 'consents' | 'applications'>,
  { orgId, id: userId }: User,
): Promise<ShownConsent[]> {
  const found = await consents.ofUser(orgId, { userId, limit: maxConsents });
  const known = await applications.findMany(found.map(({ clientId }) => clientId));
  const byId = new Map(known.map((application) => [application.id, application]));
  return found.flatMap((consent) => {
    const application = byId.get(consent.clientId);
    return application === undefined ? [] : [{ consent, application }];
  });
}
