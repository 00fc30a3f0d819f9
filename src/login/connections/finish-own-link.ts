import { type FinishedSignIn, linkByPerson, type SignInRefusal } from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo } from '#src/http/pages/page-address.js';
import { identitiesPath as path } from '../account/http/identity-section.js';
import { goToAccount } from '../account/http/show-account.js';
import { refuseForm } from '../http/refused-form.js';
import { loginToAccount } from '../http/to-account.js';
import type { Visit } from '../http/visit.js';
import type { ArrivalDeps } from './admit-arrival.js';
import { refusalText } from './refusal-text.js';

type Deps = ArrivalDeps & Parameters<typeof refuseForm>[0];

/**
 * Links the identity with which a person came back from a provider to the account of the session that left. Without this session at this browser
 * nothing is linked. Nobody is signed in by it.
 */
export async function finishOwnLink(
  deps: Deps,
  reply: HttpExchange['reply'],
  {
    visit,
    finished,
    sessionId,
  }: { visit: Visit; finished: Exclude<FinishedSignIn, { kind: 'ended' }>; sessionId: string },
): Promise<HttpExchange['reply']> {
  const session = (await deps.sessions.ofAgent(visit.agent.hash)).find(({ id }) => id === sessionId);
  const account = session && (await deps.accounts.find(session.orgId, session.userId));
  if (session === undefined || account === undefined) return goTo(reply, loginToAccount(deps));
  const { connection } = finished;
  const refusal = finished.kind === 'refused' ? finished.refusal : await link(finished);
  if (refusal === undefined) return goToAccount(deps, reply, { session, done: 'identityLinked' });
  if (connection !== undefined) await deps.recordRefusal(connection, refusal);
  reply.code(400);
  const alert = refusalText(visit.texts, refusal.reason, connection);
  return refuseForm(deps, reply, { visit, path, query: { session: session.id } }, { alert });

  async function link({
    connection: by,
    proved: { subject },
  }: Extract<FinishedSignIn, { kind: 'proved' }>): Promise<SignInRefusal | undefined> {
    if (account === undefined || !by.linking.byPerson) return { reason: 'unknownPerson', detail: '' };
    const editor = { userId: account.user.id, service: 'account' };
    return linkByPerson(deps, { connection: by, subject, account, editor });
  }
}
