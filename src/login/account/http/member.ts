import type { FastifyReply } from 'fastify';
import { policyFor } from '#src/access/memberships/index.js';
import type { Account } from '#src/accounts/index.js';
import type { EarlierSignIn } from '#src/authentication/index.js';
import { isEnough, signInRules } from '#src/authentication/proofs/index.js';
import { type Organization, passwordsAreOff } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { requireOrganization } from '#src/organizations/index.js';
import type { Session } from '#src/sessions/session.js';
import { type FormRefusal, refuseForm } from '../../http/refused-form.js';
import { readVisit, requireOwnForm, seenBy, type Visit } from '../../http/visit.js';
import type { LoginNeeds } from '../../needs/needs.js';

/** A signed-in person who uses the account pages. */
export interface Member {
  readonly visit: Visit;
  readonly session: Session;
  readonly account: Account;
  readonly organization: Organization;
  /** All sessions at this browser. */
  readonly sessions: readonly Session[];
  /** Whether the person has a password that signs in. Whoever has none proves a change by a sign-in of a moment ago: see `mayProve`. */
  readonly hasPassword: boolean;
}

type MemberDeps = Pick<
  LoginNeeds,
  'accounts' | 'authorizationRequests' | 'caches' | 'clock' | 'config' | 'groupMembers' | 'sessions'
>;

/**
 * The person of the session that the request names, or of the latest session. Undefined when nobody is signed in. Also for a session that does
 * not meet the sign-in policy any more: a thief with the password alone must not set up here what the policy demands.
 */
export async function readSignedInMember(
  deps: MemberDeps,
  exchange: HttpExchange,
): Promise<Member | undefined> {
  const { request } = exchange;
  const visit = await readVisit(deps, exchange, '');
  const sessions = await deps.sessions.ofAgent(visit.agent.hash);
  const wanted = formText(request.body, 'session') || formText(request.query, 'session');
  const session =
    sessions.find(({ id }) => id === wanted) ?? (request.method === 'GET' ? sessions[0] : undefined);
  const account = session && (await deps.accounts.find(session.orgId, session.userId));
  if (session === undefined || !account?.user.active) return undefined;
  const organization = await requireOrganization(deps.caches.organizations.get, session.orgId);
  if (
    organization.signInPolicy !== undefined &&
    !isEnough(await signInRules(deps, session), session.proofs, {})
  )
    return undefined;
  const seen = seenBy(visit, account.user);
  const hasPassword =
    account.password !== undefined &&
    !passwordsAreOff(await policyFor(deps.caches, account.user), deps.clock.now());
  return { visit: { ...seen, organization }, session, account, organization, sessions, hasPassword };
}

/** The sign-in of a member, for checks of the person's password and codes. */
export function signInOf({ session: { id, authTime: time } }: Member): EarlierSignIn {
  return { id, time };
}

/**
 * Like {@link readSignedInMember}, for a posted form of the account pages.
 * @throws AppError `login.formExpired`
 */
export function readMemberPost(
  deps: MemberDeps,
  exchange: HttpExchange,
  purpose: string,
): Promise<Member | undefined> {
  requireOwnForm(deps, exchange.request, accountPurpose(purpose, formText(exchange.request.body, 'session')));
  return readSignedInMember(deps, exchange);
}

/** Answers a form that was refused with a redirect to its page; see `refuseForm`. The caller sets the status. */
export function refuseMember(
  deps: Parameters<typeof refuseForm>[0],
  reply: FastifyReply,
  { member, path }: { member: Member; path: string },
  refusal: FormRefusal,
): FastifyReply {
  const { visit, session } = member;
  return refuseForm(deps, reply, { visit, path, query: { session: session.id } }, refusal);
}

/** The purpose of a form of the account pages, for one session. */
export function accountPurpose(purpose: string, sessionId: string): string {
  return `account ${purpose} ${sessionId}`;
}

/** What the address of an account page says besides the path. */
export interface AccountQuery {
  /** The session for which the page is shown. A browser may have several. */
  readonly session: Session;
  /** What a form has done, as a key of `done` of the texts. The page says so. */
  readonly done?: string;
}

/** The address of a page of the account. */
export function accountAddress(
  deps: Pick<LoginNeeds, 'config'>,
  path: string,
  { session, done }: AccountQuery,
): string {
  return pageAddress(deps, path, { session: session.id, done });
}
