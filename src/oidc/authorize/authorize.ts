import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import type {
  AuthorizationRequestsStore,
  WaitingRequest,
} from '#src/authorization/authorization-requests.store.js';
import type { PendingLimits } from '#src/authorization/pending-limits.store.js';
import type { Application } from '#src/directory/applications/application.js';
import type { People } from '#src/directory/users/people.js';
import type { Clock } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { KnownAgent, Sessions } from '#src/sessions/sessions.js';
import type { ReadIdTokenHint } from '../issuance/read-id-token-hint.js';
import { type AuthorizationResponse, createErrorResponse, createResponse } from './authorization-response.js';
import type { AuthorizeParameters } from './authorize-parameters.js';
import { type Choice, type ChooseSessionInput, chooseSession, type LoginPage } from './choose-session.js';
import { RedirectedError, ShownError } from './errors.js';
import { type RespondDeps, respond } from './respond.js';
import { checkRequest, findTarget, type Target } from './steps.js';
import { requireRegistered } from './target/check-redirect-uri.js';
import type { FindApplication } from './target/find-client.js';

export interface AuthorizeDeps extends RespondDeps {
  readonly findApplication: FindApplication;
  readonly readIdTokenHint: ReadIdTokenHint;
  readonly sessions: Pick<Sessions, 'readAgent' | 'touch'>;
  readonly people: People;
  readonly authorizationRequests: AuthorizationRequestsStore;
  readonly pendingLimits: Pick<PendingLimits, 'remove'>;
  readonly clock: Clock;
  readonly reportFault: (error: unknown) => void;
}

/** What becomes of a request: an answer to the client, or a page for the person, after which it goes on. */
export type AuthorizationOutcome = AuthorizationResponse | Interaction;

export interface Interaction {
  readonly ask: LoginPage;
  readonly request: AuthorizationRequest;
  /** Whether the request is kept already. */
  readonly isWaiting: boolean;
}

/**
 * A new authorization request: who asks and where the answer goes, what is asked for, whose session answers, and the
 * answer (OpenID Connect Core section 3.1.2).
 * @param agentHash of the user agent; undefined when it is not known yet
 * @throws ShownError while it is not certain where the answer goes
 */
export async function authorize(
  deps: AuthorizeDeps,
  parameters: AuthorizeParameters,
  agentHash: string | undefined,
): Promise<AuthorizationOutcome> {
  const { application, target } = await findTarget(deps.findApplication, parameters);
  return answerErrors(deps, target, async () => {
    const checked = await checkRequest(deps.readIdTokenHint, { application, target }, parameters);
    const request = { ...checked, id: newSecret(), created: deps.clock.now() };
    const agent = agentHash === undefined ? unknownAgent : await deps.sessions.readAgent(agentHash);
    return decide(deps, { request, application, agent, isWaiting: false });
  });
}

/**
 * Goes on with a request after the person has been at a page. What the page was to bring about is looked at anew:
 * coming here without it leads back to the page.
 * @throws ShownError when the request is not known (any more), or is another agent's
 */
export async function continueAuthorization(
  deps: AuthorizeDeps,
  id: string,
  agentHash: string | undefined,
): Promise<AuthorizationOutcome> {
  const [request, agent] = await Promise.all([
    deps.authorizationRequests.find(id),
    agentHash === undefined ? unknownAgent : deps.sessions.readAgent(agentHash),
  ]);
  const isOwn = request !== undefined && [agentHash, ...agent.formerly].includes(request.agentHash);
  const application = isOwn ? await deps.findApplication(request.clientId) : undefined;
  if (!isOwn || application === undefined) {
    throw ended();
  }
  // An address that the application has given up in the meantime gets nothing any more.
  requireRegistered(application, request.redirectUri);
  const outcome = await answerErrors(deps, request, () =>
    decide(deps, { request, application, agent, isWaiting: true }),
  );
  // What was made at the same time and in vain is never sent.
  if ('target' in outcome && !(await take(deps, request))) throw ended();
  return outcome;
}

/** Who holds the places of the waiting requests of an address. */
export const pendingLogins = (address: string) => `login:${address}`;

function ended(): ShownError {
  return new ShownError('invalid_request', 'This sign-in has ended or was begun in another browser');
}

/**
 * Takes the request, which only one answer gets. An answered one counts no more: an office may sign in from one
 * address all morning.
 */
async function take(deps: AuthorizeDeps, { id, address }: WaitingRequest): Promise<boolean> {
  const [taken] = await Promise.all([
    deps.authorizationRequests.remove(id),
    // Whether or not that is counted, the answer stands.
    address !== undefined && deps.pendingLimits.remove(pendingLogins(address), id).catch(deps.reportFault),
  ]);
  return taken;
}

interface Decision {
  readonly request: AuthorizationRequest;
  readonly application: Application;
  readonly agent: KnownAgent;
  readonly isWaiting: boolean;
}

const unknownAgent: KnownAgent = { sessions: [], formerly: [], stamps: new Map() };

async function decide(deps: AuthorizeDeps, decision: Decision): Promise<AuthorizationOutcome> {
  const { request, application, agent, isWaiting } = decision;
  const choice = await chooseUsable(deps, agent, { request, application, sessions: agent.sessions });
  if ('ask' in choice) return { ask: choice.ask, request, isWaiting };
  const session = await deps.sessions.touch(choice.session);
  const answer = await respond(deps, { request, application, session });
  return createResponse(deps.config.baseUrl, request, answer);
}

/** Chooses until the person of the chosen session is there and active. */
async function chooseUsable(
  deps: AuthorizeDeps,
  { stamps }: Pick<KnownAgent, 'stamps'>,
  input: Omit<ChooseSessionInput, 'now'>,
): Promise<Choice> {
  const choice = chooseSession({ ...input, now: deps.clock.now() });
  if ('ask' in choice) return choice;
  const { session } = choice;
  const user = await deps.people.find(session.orgId, session.userId, stamps.get(session.userId));
  if (user?.active) return choice;
  const others = input.sessions.filter(({ id }) => id !== session.id);
  return chooseUsable(deps, { stamps }, { ...input, sessions: others });
}

/** Sends errors to the client. A store that is away is no answer: the person may try again with the same address. */
async function answerErrors(
  deps: AuthorizeDeps,
  target: Target,
  work: () => Promise<AuthorizationOutcome>,
): Promise<AuthorizationOutcome> {
  const { baseUrl } = deps.config;
  try {
    return await work();
  } catch (error) {
    if (error instanceof RedirectedError) return createErrorResponse(baseUrl, target, error);
    if (isStoreUnavailable(error)) throw error;
    deps.reportFault(error);
    return createErrorResponse(baseUrl, target, {
      code: 'server_error',
      message: 'An unexpected error occurred',
    });
  }
}
