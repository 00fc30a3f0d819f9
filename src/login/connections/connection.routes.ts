import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { ProviderFailure } from '#src/connections/provider/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import { describeService } from '#src/connections/saml/index.js';
import {
  beginAtProvider,
  endSignInTest,
  type FinishedSignIn,
  finishAtProvider,
  keepPendingLink,
  mayProveAccount,
  servingConnection,
  type TestDeps,
} from '#src/connections/sign-in/index.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';
import { httpErrors } from '#src/http/base/errors.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { organizationStands } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { createLru, type Lru } from '#src/platform/lru.js';
import { continueSignIn } from '../http/complete.js';
import { loginErrors } from '../http/errors.js';
import { originOf } from '../http/origin.js';
import { requireFlowForm } from '../http/other-tab.js';
import { provePath } from '../http/step-address.js';
import { isToAccount } from '../http/to-account.js';
import { flowOf, readVisit, type Visit } from '../http/visit.js';
import { type ArrivalDeps, admitArrival } from './admit-arrival.js';
import { connectionPurpose } from './connection-buttons.js';
import { finishOwnLink } from './finish-own-link.js';
import { leaveForProvider } from './http/leave-for-provider.js';
import { readSamlForm, samlFormBytes, sendSamlAgain } from './http/saml-answer.js';
import { askUnlessKnown } from './leading.js';
import { leaveByConnection, refuseArrival } from './leave.js';

type Deps = ArrivalDeps &
  TestDeps &
  Parameters<typeof keepPendingLink>[0] &
  Parameters<typeof continueSignIn>[0] &
  Parameters<typeof leaveByConnection>[0];

const path = '/login/connections/:orgId/:connectionId';

/** The parameters of an answer that are read (RFC 6749 section 4.1.2, RFC 9207). Whatever else a provider sends is left out. */
const answerNames = ['code', 'state', 'iss', 'error', 'response', 'id_token', 'token'];

/** The way to the provider of a connection, and back. */
export function connectionSignInRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.post(path, { config: { heavy: 'sign-in' } }, (request, reply) => begin(deps, { request, reply }));
    app.get('/login/connection-tests/:testId', { config: { heavy: 'sign-in' } }, (request, reply) =>
      beginTest(deps, { request, reply }),
    );
    app.get(`${path}/callback`, (request, reply) => {
      const { searchParams } = new URL(request.url, deps.config.baseUrl);
      return finish(deps, { request, reply }, answerIn(searchParams));
    });
    // Another site makes the browser post, which then sends no cookie (SameSite=Lax). It sends one when it follows the redirect.
    app.post(`${path}/callback`, (request, reply) => {
      const parameters = answerIn(new URLSearchParams(entriesOf(request.body)));
      return goTo(reply, `${deps.config.baseUrl}${pathOf(request)}?${parameters}`);
    });
    const ofSaml = { bodyLimit: samlFormBytes, config: { heavy: 'sign-in' } } as const;
    app.post(`${path}/saml/acs`, ofSaml, (request, reply) => {
      const parameters = readSamlForm(deps, request);
      if (parameters !== undefined) return finish(deps, { request, reply }, parameters);
      const { orgId, connectionId: id } = namesIn(request);
      return sendSamlAgain(deps, { request, reply }, { orgId, id });
    });
    // Whoever asks for it often takes no thread from those who sign in.
    const described = createLru<string>({ max: 200 });
    app.get(`${path}/saml/metadata`, (request, reply) => showMetadata(deps, described, { request, reply }));
  };
}

async function begin(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const { orgId, connectionId } = namesIn(request);
  const flow = flowOf(request.body);
  await requireFlowForm(deps, request, connectionPurpose(flow, connectionId));
  const visit = await readVisit(deps, { request, reply }, flow);
  const toAccount = isToAccount(request.body);
  const connection = await offered(deps, visit, { orgId, connectionId });
  if (connection === undefined)
    return refuseArrival(deps, reply, { visit, toAccount, refusal: { reason: 'connectionOff', detail: '' } });
  return leaveByConnection(deps, reply, {
    ...{ visit, connection, toAccount },
    isFresh: formText(request.body, 'fresh') !== '',
  });
}

/**
 * Leads to the provider for a test that an administrator began. The browser that opens it must be the one that comes back. Nobody is signed in, so the connection may be switched off.
 */
async function beginTest(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { testId } = exchange.request.params as { testId: string };
  const test = await deps.signInTests.find(testId);
  if (test === undefined || !(await organizationStands(deps, test.orgId)))
    throw new AppError(loginErrors.flowEnded);
  const { orgId, connectionId, created: since } = test;
  const connection = await servingConnection(deps, { orgId, connectionId, since, evenOff: true });
  if (connection === undefined) throw new AppError(loginErrors.flowEnded);
  const visit = await readVisit(deps, exchange, '');
  const { agent, language } = visit;
  try {
    const wishes = { uiLocales: [language] };
    const of = { agentHash: agent.hash, flow: '', toAccount: false, test: testId };
    const departure = await beginAtProvider(deps, { connection, wishes, ...of });
    return leaveForProvider(deps, exchange.reply, { visit, departure });
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    const ended = { reason: error.problem, detail: error.message };
    return leadBack(deps, exchange.reply, await endSignInTest(deps, { testId, connection, ended }));
  }
}

async function endTest(
  deps: Deps,
  reply: FastifyReply,
  { testId, finished }: { testId: string; finished: Exclude<FinishedSignIn, { kind: 'ended' }> },
): Promise<FastifyReply> {
  const { connection } = finished;
  const ended = finished.kind === 'proved' ? finished : finished.refusal;
  return leadBack(deps, reply, await endSignInTest(deps, { testId, connection, ended }));
}

/** Leads to the page that shows the result of a test. */
function leadBack({ config }: Pick<Deps, 'config'>, reply: FastifyReply, path: string | undefined) {
  if (path === undefined) throw new AppError(loginErrors.flowEnded);
  return goTo(reply, `${config.baseUrl}${path}`);
}

/** The connection, if people may sign in by it here. A page for one organization alone sends nobody to the provider of another. */
async function offered(
  deps: Deps,
  { onlyOrgId = '' }: Visit,
  { orgId, connectionId }: { orgId: string; connectionId: string },
): Promise<Connection | undefined> {
  if (onlyOrgId !== '' && onlyOrgId !== orgId) return undefined;
  if (!(await organizationStands(deps, orgId))) return undefined;
  return servingConnection(deps, { orgId, connectionId });
}

async function finish(
  deps: Deps,
  exchange: HttpExchange,
  parameters: URLSearchParams,
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const agent = readAgent(deps, request);
  // What is known of the browser is one message to Redis with what waits for the answer.
  const [finished, pastSignIns] = await Promise.all([
    finishAtProvider(deps, {
      ...namesIn(request),
      parameters,
      isAgent: async (hash) => agent !== undefined && deps.sessions.isSameAgent(agent.hash, hash),
    }),
    agent === undefined ? undefined : deps.sessions.pastSignIns(agent.hash),
  ]);
  if (finished.kind === 'ended' || pastSignIns === undefined) return beginFromProvider(deps, exchange);
  const { waiting } = finished;
  if (waiting.test !== undefined) return endTest(deps, reply, { testId: waiting.test, finished });
  const { toAccount } = waiting;
  const visit = await readVisit(deps, exchange, waiting.flow);
  const { sessionId } = waiting.linkTo ?? {};
  if (sessionId !== undefined) return finishOwnLink(deps, reply, { visit, finished, sessionId });
  if (finished.kind === 'refused')
    return refuseArrival(deps, reply, {
      visit,
      toAccount,
      connection: finished.connection,
      refusal: finished.refusal,
    });
  const { connection } = finished;
  const admitted = await admitArrival(deps, {
    pastSignIns,
    origin: originOf(request, visit),
    arrival: finished,
  });
  if ('reason' in admitted) {
    if (!mayProveAccount(connection, admitted))
      return refuseArrival(deps, reply, { visit, toAccount, connection, refusal: admitted });
    const { proved, proof } = finished;
    const { flow, agent: here } = visit;
    const arrival = { agentHash: here.hash, flow, toAccount, proved, proof, created: waiting.created };
    const link = await keepPendingLink(deps, connection, arrival);
    return goTo(reply, pageAddress(deps, provePath, { request: flow, link }));
  }
  return continueSignIn(deps, exchange, { visit, toAccount, pastSignIns, ...admitted });
}

/**
 * Answers a provider of SAML that sends somebody without a request, if the connection permits it. The browser goes back to the provider with a
 * request. A browser that does not know the connection goes to the login page. What the provider sent is not read.
 * @throws AppError `login.flowEnded`
 */
async function beginFromProvider(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const visit = await readVisit(deps, exchange, '');
  const connection = await offered(deps, visit, namesIn(request));
  if (connection?.protocol !== 'saml' || !connection.provider.startsAtProvider)
    throw new AppError(loginErrors.flowEnded);
  const asked = askUnlessKnown(deps, exchange, connection);
  if (asked !== undefined) return asked;
  const { agent } = visit;
  if (!(await deps.usedAssertions.mayBeginAnew(connection, agent.hash)))
    throw new AppError(loginErrors.flowEnded);
  return leaveByConnection(deps, reply, { visit, connection, toAccount: false });
}

/** The metadata of this service for the provider of a connection. It is public, also for a connection that is switched off. */
async function showMetadata(
  deps: Deps,
  described: Lru<string>,
  { request, reply }: HttpExchange,
): Promise<FastifyReply> {
  const { orgId, connectionId } = namesIn(request);
  const stands = await organizationStands(deps, orgId);
  const all = stands ? await deps.caches.connections.get(orgId) : [];
  const connection = all.find(({ id }) => id === connectionId);
  // An imported connection has no key before somebody switches it on.
  if (connection?.protocol !== 'saml' || connection.ownKey === undefined)
    throw new AppError(httpErrors.notFound);
  const key = `${connectionId} ${connection.version}`;
  const metadata = described.get(key) ?? (await describeService(deps, connection));
  described.set(key, metadata);
  return reply.type('application/samlmetadata+xml').send(metadata);
}

function namesIn({ params }: FastifyRequest): { orgId: string; connectionId: string } {
  return params as { orgId: string; connectionId: string };
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** Repeated parameters stay repeated, so that they are refused. */
function answerIn(given: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...given].filter(([name]) => answerNames.includes(name)));
}

function entriesOf(body: unknown): [string, string][] {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  return fields.flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (typeof one === 'string' ? [[name, one]] : [])),
  );
}
