import type { Container } from '#src/container.js';
import { directoryErrors } from '#src/directory/errors.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import type { Account } from '#src/directory/sign-in/account.js';
import type { HttpExchange } from '#src/http/http-exchange.js';
import { AppError } from '#src/platform/errors.js';
import type { Session } from '#src/sessions/session.js';
import { formText, readVisit, requireOwnForm, type Visit } from './visit.js';

/** Somebody who is signed in and looks after the own account. */
export interface Member {
  readonly visit: Visit;
  readonly session: Session;
  readonly account: Account;
  readonly organization: Organization;
  /** Everybody who is signed in at this browser. */
  readonly sessions: readonly Session[];
}

/** The person of the session that the request names, or who signed in last; undefined when nobody is signed in. */
export async function readMember(container: Container, exchange: HttpExchange): Promise<Member | undefined> {
  const { request } = exchange;
  const visit = await readVisit(container, exchange, '');
  const sessions = await container.sessions.ofAgent(visit.agent.hash);
  const wanted = formText(request.body, 'session') || formText(request.query, 'session');
  const session =
    sessions.find(({ id }) => id === wanted) ?? (request.method === 'GET' ? sessions[0] : undefined);
  const account = session && (await container.accounts.find(session.orgId, session.userId));
  if (session === undefined || !account?.user.active) return undefined;
  const organization = await container.caches.organizations.get(session.orgId);
  if (organization === undefined) throw new AppError(directoryErrors.organizationNotFound);
  return { visit: { ...visit, organization }, session, account, organization, sessions };
}

/**
 * As {@link readMember}, for a post of a form of the account pages.
 * @throws AppError `login.formExpired`
 */
export function readMemberPost(
  container: Container,
  exchange: HttpExchange,
  purpose: string,
): Promise<Member | undefined> {
  requireOwnForm(
    container,
    exchange.request,
    accountPurpose(purpose, formText(exchange.request.body, 'session')),
  );
  return readMember(container, exchange);
}

/** What a form of the account pages does, and for which session. */
export function accountPurpose(purpose: string, sessionId: string): string {
  return `account ${purpose} ${sessionId}`;
}
