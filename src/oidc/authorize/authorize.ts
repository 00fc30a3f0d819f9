import { type AdmissionDeps, admissionOf, isForStrangers } from '#src/authorization/admission.js';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import {
  type AuthorizationRequestsStore,
  maxFlowLength,
} from '#src/authorization/authorization-requests.store.js';
import { scopeToConsent } from '#src/authorization/requested-claims.js';
import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/clients/applications/index.js';
import { httpErrors } from '#src/http/base/errors.js';
import { limitPerson, type PersonLimitDeps } from '#src/http/limits/rate-limit.js';
import type { People } from '#src/people/users/index.js';
import type { Clock } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { newSecret } from '#src/platform/ids.js';
import { isStoreUnavailable } from '#src/platform/unavailable.js';
import type { Session } from '#src/sessions/session.js';
import type { KnownAgent, Sessions } from '#src/sessions/sessions.js';
import type { ReadIdTokenHint } from '../issuance/read-id-token-hint.js';
import { type RefusedProjectDeps, refusedProject } from '../issuance/refused-project.js';
import { type AuthorizationResponse, createErrorResponse, createResponse } from './authorization-response.js';
import { type Choice, type ChooseSessionInput, chooseSession, type LoginPage } from './choose-session.js';
import { type MayUseDeps, mayUseApplication } from './may-use-application.js';
import type { AuthorizeParameters } from './request/authorize-parameters.js';
import { requireRegistered } from './request/check-redirect-uri.js';
import { RedirectedError, ShownError } from './request/errors.js';
import type { FindApplication } from './request/find-client.js';
import { type RespondDeps, respond } from './respond.js';
import { rulesOfSessions, type SettleDeps, settleSession } from './settle-session.js';
import { type CheckedRequest, checkAgain, checkRequest, findTarget, type ResponseTarget } from './steps.js';

export type AuthorizeDeps = RespondDeps &
  AdmissionDeps &
  RefusedProjectDeps &
  SettleDeps &
  MayUseDeps &
  PersonLimitDeps & {
    readonly findApplication: FindApplication;
    readonly readIdTokenHint: ReadIdTokenHint;
    readonly sessions: Pick<Sessions, 'readAgent' | 'touch'>;
    readonly people: People;
    readonly authorizationRequests: AuthorizationRequestsStore;
    readonly clock: Clock;
    readonly reportFault: (error: unknown) => void;
  };

/**
 * The result of a request: a response to the client, a page for the person, after which the request continues, or a page
 * that says why the request or the person is refused.
 */
export type AuthorizationOutcome = AuthorizationResponse | Interaction | RefusedRequest | RefusedPerson;

/** An error that goes to the client only after the person has seen a page. */
interface RefusedRequest {
  readonly refused: AuthorizationResponse;
  readonly application: Application;
}

/** An error about a person who may not use the application. Another person may go on with the request. */
interface RefusedPerson extends Pick<Interaction, 'request' | 'flow'> {
  readonly notAllowed: AuthorizationResponse;
  readonly application: Application;
  readonly userName: string;
}

interface Interaction {
  readonly ask: LoginPage;
  readonly request: AuthorizationRequest;
  /** The flow of a request that waits already. See `AuthorizationRequestsStore`. */
  readonly flow?: string;
  /** The latest sign-in at the browser, if it is later than the request and does not suit it. The login page then waits for a later one. */
  readonly since?: Date;
}

/**
 * Answers a new authorization request (OpenID Connect Core section 3.1.2). The steps: find the application
 * and the redirect URI, check the request, choose the session, and make the response.
 * @param agentHash of the user agent; undefined for one without a cookie
 * @throws ShownError as long as the redirect URI is not certain
 */
export async function authorize(
  deps: AuthorizeDeps,
  parameters: AuthorizeParameters,
  agentHash: string | undefined,
): Promise<AuthorizationOutcome> {
  const { application, target } = await findTarget(deps.findApplication, parameters);
  return answerErrors(deps, target, async () => {
    const readAgent = async () =>
      agentHash === undefined ? unknownAgent : deps.sessions.readAgent(agentHash);
    const refuse = async (error: unknown) => {
      if (!(error instanceof RedirectedError)) throw error;
      return refusal(deps, { application, target, agent: await readAgent() }, error);
    };
    let checked: CheckedRequest;
    try {
      checked = await checkRequest(deps.readIdTokenHint, { application, target }, parameters);
      await requireProjects(deps, checked.scope, application.orgId);
    } catch (error) {
      return refuse(error);
    }
    const request = { ...checked, id: newSecret(), created: deps.clock.now() };
    const outcome = await decide(deps, { request, application, agent: await readAgent() });
    const isTooLong = 'request' in outcome && !deps.authorizationRequests.fits(outcome.request);
    return isTooLong ? refuse(new RedirectedError('invalid_request', tooLong)) : outcome;
  });
}

const tooLong = `The request is too long: while the person signs in, its parameters wait in an address, where they have room for ${maxFlowLength} characters. Shorten state, scope or claims`;

/** The response that reports an error, or the page that comes before it at an application of strangers. */
async function refusal(
  deps: AuthorizeDeps,
  { application, target, agent }: { application: Application; target: ResponseTarget; agent: KnownAgent },
  error: RedirectedError,
): Promise<AuthorizationResponse | RefusedRequest> {
  const response = createErrorResponse(deps.config.baseUrl, target, error);
  return (await isForStrangers(deps, application, agent.sessions))
    ? { refused: response, application }
    : response;
}

/** @throws RedirectedError `invalid_scope` for a project that accepts no tokens of the client */
async function requireProjects(deps: RefusedProjectDeps, scope: string, orgId: string): Promise<void> {
  const refused = await refusedProject(deps, parseScope(scope).projects, orgId);
  if (refused !== undefined) throw new RedirectedError('invalid_scope', refused);
}

/**
 * Continues a request after the person has been at a page. It checks again what the page was to bring about:
 * a person who skipped the page is sent back to it. A request that was answered or is too old begins anew, as if the application sent it
 * again. If the browser is not the one that began a request that is too old, the application gets an error.
 * @param answer `denied` if the person refused to consent
 * @throws ShownError when there is no such request, when it waits or was answered at another agent, and when the redirect URI is not
 * registered any more
 */
export async function continueAuthorization(
  deps: AuthorizeDeps,
  flow: string,
  { agentHash, denied = false }: { agentHash: string | undefined; denied?: boolean },
): Promise<AuthorizationOutcome> {
  const [found, agent] = await Promise.all([
    deps.authorizationRequests.find(flow),
    agentHash === undefined ? unknownAgent : deps.sessions.readAgent(agentHash),
  ]);
  const isOwn = found !== undefined && [agentHash, ...agent.formerly].includes(found.agentHash);
  if (found === undefined || (!isOwn && found.stage !== 'expired')) throw ended();
  const application = await deps.findApplication(found.clientId);
  if (application === undefined) throw ended();
  // The application may have removed the address in the meantime. Then nothing is sent there.
  requireRegistered(application, found.redirectUri);
  if (!isOwn) return refusal(deps, { application, target: found, agent }, tooOld);
  const isWaiting = found.stage === 'waiting';
  let ending: Promise<boolean> | undefined;
  const end = (sessionId: string | undefined) => {
    ending ??= deps.authorizationRequests.end(flow, sessionId);
    return ending;
  };
  const outcome = await answerErrors(deps, found, async () => {
    if (denied) throw new RedirectedError('access_denied', 'The person did not consent');
    // The application or a project may have changed in the meantime.
    checkAgain(application, found);
    await requireProjects(deps, found.scope, application.orgId);
    if (isWaiting) return decide(deps, { request: found, application, agent, flow, end });
    return decide(deps, { request: deps.authorizationRequests.renew(found), application, agent });
  });
  // Without a session the response is an error. It is worth nothing, and its mark would let anybody fill Redis.
  const [latest] = agent.sessions;
  if (latest === undefined || !('target' in outcome)) return outcome;
  // A code or a token was counted before it was made.
  if ('error' in outcome.parameters) limitPerson(deps, latest.userId);
  const { sessionId = found.sessionId } = outcome;
  if (!isWaiting || (await end(sessionId))) return outcome;
  // Another call has sent its response. This one is discarded, and the request begins anew.
  return continueAuthorization(deps, flow, { agentHash, denied });
}

const tooOld = new RedirectedError(
  'login_required',
  'The sign-in took too long, and another browser began it. Begin it again',
);

function ended(): ShownError {
  return new ShownError('invalid_request', 'This sign-in has ended or was begun in another browser');
}

interface Decision {
  readonly request: AuthorizationRequest;
  readonly application: Application;
  readonly agent: KnownAgent;
  readonly flow?: string;
  /** Ends the request that waits, once however often it is called. Tells whether it waited. */
  readonly end?: (sessionId: string) => Promise<boolean>;
}

const unknownAgent: KnownAgent = { sessions: [], formerly: [], stamps: new Map() };

async function decide(deps: AuthorizeDeps, decision: Decision): Promise<AuthorizationOutcome> {
  const { request, application, agent, flow, end } = decision;
  const choice = await chooseUsable(deps, agent, { request, application, sessions: agent.sessions });
  const settled = 'lacking' in choice ? await settleSession(deps, decision, choice.lacking) : choice;
  if ('ask' in settled) {
    const { ask, of } = settled;
    const after = of === undefined ? withFlow(request, flow) : await keepSession(deps, decision, of);
    const [latest] = agent.sessions;
    const isLater = latest !== undefined && latest.authTime >= request.created;
    return { ask, ...after, ...(isLater && { since: latest.authTime }) };
  }
  const { session: chosen } = settled;
  if (!(await mayUseApplication(deps, application, chosen.userId)))
    return refusePerson(deps, decision, chosen);
  if (await lacksConsent(deps, decision, settled.session)) {
    if (request.prompts.includes('none'))
      throw new RedirectedError('consent_required', 'The person must consent');
    return { ask: 'consent', ...(await keepSession(deps, decision, settled.session)) };
  }
  limitPerson(deps, settled.session.userId);
  const session = await deps.sessions.touch(settled.session);
  const response = respond(deps, { request, application, session, proofs: settled.proofs });
  // A code and the end of the request are one message to Redis. Tokens can fail for other reasons, and a reload then finds the request.
  if (request.responseType !== 'code') await response;
  // If another call has ended the request, this response is discarded.
  const [answer] = await Promise.all([response, end?.(session.id)]);
  return { ...createResponse(deps.config.baseUrl, request, answer), sessionId: session.id };
}

/** @throws RedirectedError `access_denied` if no page may be shown */
function refusePerson(
  deps: AuthorizeDeps,
  { request, application, flow }: Decision,
  { userId, userName }: Session,
): RefusedPerson {
  limitPerson(deps, userId);
  const error = new RedirectedError(
    'access_denied',
    'The person is in none of the groups that may use the application',
  );
  if (request.prompts.includes('none')) throw error;
  const notAllowed = createErrorResponse(deps.config.baseUrl, request, error);
  return { notAllowed, application, userName, ...withFlow(request, flow) };
}

/**
 * Whether the person must consent first (OpenID Connect Core section 3.1.2.4): at an application of another organization
 * that nobody has approved or granted, and once for each request with `prompt=consent`.
 */
async function lacksConsent(
  deps: AuthorizeDeps,
  { request, application }: Decision,
  { orgId, userId }: Session,
): Promise<boolean> {
  const { claims, prompts, consented = false } = request;
  const scope = scopeToConsent(request.scope, claims);
  if (prompts.includes('consent') && !consented) return true;
  // The person may have taken the consent back since the page.
  return (await admissionOf(deps, application, { orgId, userId, scope })) !== 'admitted';
}

/** The request with the session that goes on with it, so that no other session answers. */
async function keepSession(
  deps: AuthorizeDeps,
  { request, flow }: Decision,
  { id: sessionId, userId }: Session,
): Promise<Pick<Interaction, 'request' | 'flow'>> {
  if (flow !== undefined && request.sessionId !== sessionId) {
    limitPerson(deps, userId);
    await deps.authorizationRequests.update(flow, { sessionId });
  }
  return withFlow({ ...request, sessionId }, flow);
}

function withFlow(
  request: AuthorizationRequest,
  flow: string | undefined,
): Pick<Interaction, 'request' | 'flow'> {
  return { request, ...(flow !== undefined && { flow }) };
}

/** Chooses a session whose person exists and is active. */
async function chooseUsable(
  deps: AuthorizeDeps,
  { stamps }: Pick<KnownAgent, 'stamps'>,
  input: Omit<ChooseSessionInput, 'now' | 'rulesOf'>,
): Promise<Choice> {
  const rulesOf = await rulesOfSessions(deps, input.sessions);
  const choice = chooseSession({ ...input, rulesOf, now: deps.clock.now() });
  if ('ask' in choice) return choice;
  const { session } = 'lacking' in choice ? choice.lacking : choice;
  const user = await deps.people.find(session.orgId, session.userId, stamps.get(session.userId));
  if (user?.active) return choice;
  const others = input.sessions.filter(({ id }) => id !== session.id);
  return chooseUsable(deps, { stamps }, { ...input, sessions: others });
}

/**
 * Reports errors to the client. An unavailable store and the limit of a person are not reported to it: the person may try the
 * same address again.
 */
async function answerErrors(
  deps: AuthorizeDeps,
  target: ResponseTarget,
  work: () => Promise<AuthorizationOutcome>,
): Promise<AuthorizationOutcome> {
  const { baseUrl } = deps.config;
  try {
    return await work();
  } catch (error) {
    if (error instanceof RedirectedError) return createErrorResponse(baseUrl, target, error);
    if (isStoreUnavailable(error) || isLimit(error)) throw error;
    deps.reportFault(error);
    return createErrorResponse(baseUrl, target, {
      code: 'server_error',
      message: 'An unexpected error occurred',
    });
  }
}

function isLimit(error: unknown): boolean {
  return error instanceof AppError && error.definition === httpErrors.rateLimited;
}
