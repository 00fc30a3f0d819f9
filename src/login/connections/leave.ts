import { ProviderFailure } from '#src/connections/provider/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import { beginAtProvider, type SignInRefusal } from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { refuseForm } from '../http/refused-form.js';
import { toAccountPlace } from '../http/to-account.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { leaveForProvider } from './http/leave-for-provider.js';
import { refusalText } from './refusal-text.js';

/** What leads to a provider. */
export type LeaveDeps = Parameters<typeof beginAtProvider>[0] &
  Parameters<typeof leaveForProvider>[0] &
  Pick<LoginNeeds, 'clock' | 'config' | 'recordRefusal' | 'refusedFormSealer'>;

/** How a browser leaves for the provider of a connection. */
interface Departure {
  readonly visit: Visit;
  readonly connection: Connection;
  readonly toAccount: boolean;
  /** The login name, if the person or the application gave it. */
  readonly loginHint?: string | undefined;
  /** Whether the page that led here needs a fresh sign-in. */
  readonly isFresh?: boolean;
}

/**
 * Leads to the provider of a connection. What the waiting request asks of the sign-in is asked of the provider. A request that forbids pages
 * never comes here. A provider that cannot be used leads back to the login page.
 */
export async function leaveByConnection(
  deps: LeaveDeps,
  reply: HttpExchange['reply'],
  { visit, connection, toAccount, loginHint, isFresh = false }: Departure,
): Promise<HttpExchange['reply']> {
  const { waiting, language, agent, flow } = visit;
  const { prompts = [], maxAge, loginHint: hinted } = waiting ?? {};
  const wishes = {
    loginHint: loginHint ?? hinted,
    again: isFresh || prompts.includes('login'),
    selectAccount: prompts.includes('select_account'),
    maxAge,
    uiLocales: [language],
  };
  try {
    const departure = await beginAtProvider(deps, {
      ...{ connection, wishes, flow, toAccount },
      agentHash: agent.hash,
    });
    return leaveForProvider(deps, reply, { visit, departure });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const refusal = { reason: error.problem, detail: error.message };
    return refuseArrival(deps, reply, { visit, toAccount, connection, refusal });
  }
}

/** Leads back to the login page, which says what happened and offers every other way. Nothing leads to the provider by itself. */
export async function refuseArrival(
  deps: Pick<LeaveDeps, 'clock' | 'config' | 'recordRefusal' | 'refusedFormSealer'>,
  reply: HttpExchange['reply'],
  {
    visit,
    toAccount,
    connection,
    refusal,
  }: { visit: Visit; toAccount: boolean; connection?: Connection | undefined; refusal: SignInRefusal },
): Promise<HttpExchange['reply']> {
  if (connection !== undefined) await deps.recordRefusal(connection, refusal);
  reply.code(refusal.reason === 'unreachable' ? 503 : 400);
  const alert = refusalText(visit.texts, refusal.reason, connection);
  const query = {
    request: visit.flow,
    ...toAccountPlace(toAccount),
    // Without a request, only the address says whose connections the page offers.
    ...(visit.waiting === undefined && connection && { organization: connection.orgId }),
  };
  return refuseForm(deps, reply, { visit, path: '/login', query }, { alert });
}
