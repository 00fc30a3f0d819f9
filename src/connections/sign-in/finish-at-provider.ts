import type { Account } from '#src/accounts/index.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import type { Organization } from '#src/directory/index.js';
import { type FindPersonDeps, findPerson } from '../identities/find-person.js';
import { PersonRefused } from '../identities/sign-in-refusal.js';
import {
  isMultiFactor,
  type ProvedIdentity,
  ProviderFailure,
  type Providers,
  provedAt,
  type RedeemDeps,
  redeemAnswer,
  redeemAtGithub,
  sessionAtProvider,
} from '../provider/index.js';
import type { Connection } from '../registry/connection.js';
import { type RedeemResponseDeps, redeemResponse } from '../saml/redeem-response.js';
import type { SignInRefusal } from './record-refusal.js';
import { redirectUriOf } from './redirect-uri.js';
import { type ServingDeps, servingConnection } from './serving-connection.js';
import { requestIdOf, type WaitingSignIn, type WaitingSignInsStore } from './waiting-sign-ins.store.js';

export interface FinishDeps extends Omit<FindPersonDeps, 'caches'>, RedeemDeps, RedeemResponseDeps {
  readonly providers: Providers;
  readonly waitingSignIns: Pick<WaitingSignInsStore, 'take' | 'find'>;
  readonly config: { readonly baseUrl: string };
  readonly caches: FindPersonDeps['caches'] & ServingDeps['caches'];
}

/** The answer of a provider as it came through the browser. */
export interface BrowserAnswer {
  /** The organization and the connection in the address to which the answer came. */
  readonly orgId: string;
  readonly connectionId: string;
  readonly parameters: URLSearchParams;
  /** Whether the browser is the one with this hash. */
  readonly isAgent: (agentHash: string) => Promise<boolean>;
}

/** What a sign-in at a provider came to. */
export type FinishedSignIn =
  /** Nobody waits for the answer here: it is too old, was used, or belongs to another browser or connection. */
  | { readonly kind: 'ended' }
  | {
      readonly kind: 'refused';
      readonly waiting: WaitingSignIn;
      readonly refusal: SignInRefusal;
      /** Absent if it does not exist any more. */
      readonly connection?: Connection;
    }
  | {
      readonly kind: 'proved';
      readonly waiting: WaitingSignIn;
      readonly connection: Connection;
      readonly proved: ProvedIdentity;
      readonly proof: Proof;
    };

/**
 * Checks the answer of a provider. The connection is that of the waiting sign-in, whatever the answer says, and the browser must be the one that
 * left. The waiting sign-in ends in any case, so that no answer works twice.
 */
export async function finishAtProvider(deps: FinishDeps, answer: BrowserAnswer): Promise<FinishedSignIn> {
  const { parameters, orgId, connectionId } = answer;
  const state = parameters.get('state') ?? '';
  const found = await deps.waitingSignIns.find(state);
  const isOwn =
    found?.orgId === orgId && found.connectionId === connectionId && (await answer.isAgent(found.agentHash));
  // An answer at another browser does not end the sign-in of the right one.
  const waiting = isOwn ? await deps.waitingSignIns.take(state) : undefined;
  if (waiting === undefined) return { kind: 'ended' };
  const since = waiting.created;
  const evenOff = waiting.test !== undefined;
  const connection = await servingConnection(deps, { orgId, connectionId, since, evenOff });
  if (connection === undefined)
    return { kind: 'refused', waiting, refusal: { reason: 'connectionOff', detail: '' } };
  try {
    const proved = await redeem(deps, { connection, waiting, parameters, state });
    return {
      kind: 'proved',
      waiting,
      connection,
      proved,
      proof: proofOf(deps, { connection, proved, waiting }),
    };
  } catch (error) {
    return { kind: 'refused', waiting, connection, refusal: signInRefusalOf(error) };
  }
}

/** Checks the answer by the protocol of the connection. @throws ProviderFailure */
async function redeem(
  deps: FinishDeps,
  {
    connection,
    waiting,
    parameters,
    state,
  }: { connection: Connection; waiting: WaitingSignIn; parameters: URLSearchParams; state: string },
): Promise<ProvedIdentity> {
  const { nonce, codeVerifier, provedSince } = waiting;
  if (connection.protocol === 'saml') {
    const response = parameters.get('SAMLResponse') ?? '';
    return redeemResponse(deps, { connection, response, requestId: requestIdOf(waiting), provedSince });
  }
  const redirectUri = redirectUriOf(deps.config, connection);
  const answer = { connection, parameters, redirectUri, state, codeVerifier, provedSince };
  if (connection.provider.api === 'github') return redeemAtGithub(deps, answer);
  const metadata = await deps.providers.read(connection.orgId, connection.provider);
  return redeemAnswer(deps, { ...answer, metadata, nonce });
}

/**
 * Finds the account of a proved identity. @returns why there is none, if the person may not sign in
 * @throws the errors of stores that are away
 */
export async function admitPerson(
  deps: FinishDeps,
  {
    organization,
    connection,
    proved,
  }: { organization: Organization; connection: Connection; proved: ProvedIdentity },
): Promise<Account | SignInRefusal> {
  try {
    return await findPerson(deps, { organization, connection, proved });
  } catch (error) {
    return signInRefusalOf(error);
  }
}

/** How old a sign-in at a provider counts as that does not say when it was, in milliseconds. It is fresh for nobody. */
const unknownAgeMs = 24 * 3600 * 1000;

/**
 * What the sign-in proves here. It is as old as the sign-in at the provider, unless a fresh one was demanded, which was checked: a person with a
 * session there need not be the one who sits at the browser.
 */
function proofOf(
  { clock }: Pick<FinishDeps, 'clock'>,
  {
    connection: { id: connectionId, strength, provider },
    proved: { claims },
    waiting,
  }: { connection: Connection; proved: ProvedIdentity; waiting: WaitingSignIn },
): Proof {
  const now = clock.now();
  const isMulti = isMultiFactor({ strength, acrs: provider.multiFactorAcrs }, claims);
  const time = provedAt(claims, now)?.getTime() ?? now.getTime() - unknownAgeMs;
  return {
    kind: 'connection',
    connectionId,
    strength: isMulti ? '2' : '1',
    begun: waiting.created.getTime(),
    ...(waiting.provedSince === undefined && { provedAt: time }),
    ...sessionAtProvider(claims),
  };
}

/** The refusal that an error means. @throws the error, if it is a fault of this service */
export function signInRefusalOf(error: unknown): SignInRefusal {
  if (error instanceof ProviderFailure) return { reason: error.problem, detail: error.message };
  if (error instanceof PersonRefused) {
    const { reason, detail, userId } = error;
    return { reason, detail, ...(userId !== undefined && { userId }) };
  }
  throw error;
}
