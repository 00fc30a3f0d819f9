import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { chooseLanguage } from '#src/http/base/language.js';
import { readTimeZone } from '#src/http/base/local-time.js';
import type { ConsoleForm, RouteFacts } from '#src/http/base/route-facts.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { consoleTexts } from '../texts/texts.js';
import { ApiProblem, createConsoleApi, withQuery } from './api.js';
import { type ActSentence, actOfForm, actOfPage } from './confirm-act.js';
import { type ConsoleSession, hasExpired, readConsoleSession } from './console-session.js';
import { hasFormToken, requireFormToken, requireSameOrigin } from './form-token.js';
import { pageTurns } from './page-turns.js';
import { outOfReachPage, problemPage } from './problem-page.js';
import { refuseConsoleForm, showRefusedPage } from './refused-page.js';
import { type ConsolePage, type GoTo, respond, type Sent, statusOfPage } from './respond.js';
import { keepForm, pageOfForm, takeForm } from './returned-form.js';
import { beginSignIn, type ProofAgain } from './sign-in.js';
import { uploadOf } from './uploads.js';
import { type ConsoleVisit, type Me, ownsInstance, param } from './visit.js';

/** What these functions use. */
export type PageDeps = Pick<
  ConsoleNeeds,
  'clock' | 'config' | 'consoleDrafts' | 'refusedPages' | 'consoleSealer' | 'confirmationSealer'
>;

/** What the person gets: a page, another place to go to, or a download that was sent. */
export type VisitAnswer = ConsolePage | GoTo | Sent;

/** Answers a visit. It may throw an ApiProblem, which becomes a page that says what was wrong. */
export type PageHandler = (visit: ConsoleVisit) => Promise<VisitAnswer>;

/** Whose roles reach a page. */
export type Reach = NonNullable<RouteFacts['console']>;

/** A page, or a form that is sent to its own address. */
interface AnsweredRoute {
  readonly handler: PageHandler;
  readonly reach: Reach;
  /** The person must have signed in lately before the page is shown. */
  readonly asksFirst: boolean;
  /** What the form does, if neither its page nor its button says it. */
  readonly says: ActSentence | undefined;
  /** The form that is sent to this address. Undefined for a page. */
  readonly form: ConsoleForm | undefined;
  /** The page that shows the form. */
  readonly shownBy: () => PageHandler | undefined;
  /** Whether the body is a stream, which must not be read before its form token. */
  readonly isStreamed: boolean;
}

/**
 * Serves a page, or takes a form: finds the session, checks the token of the form, and waits for a turn. Without a session that is
 * good enough, the browser is led to the sign-in and back.
 * @throws AppError `console.formExpired`, `console.uploadMalformed`, `console.tooManyPages`
 */
export async function servePage(
  deps: PageDeps,
  exchange: HttpExchange,
  route: AnsweredRoute,
): Promise<FastifyReply> {
  const { request } = exchange;
  const { form, isStreamed } = route;
  if (form !== undefined) requireSameOrigin(deps.config.baseUrl, request);
  const session = readConsoleSession(deps, request);
  if (session === undefined) return signInFirst(deps, exchange, { form });
  if (hasExpired(deps, session)) {
    const isOurs = !isStreamed && hasFormToken(request, session, request.body);
    return signInFirst(deps, exchange, { form, ...(isOurs && { sender: session }) });
  }
  if (form !== undefined) {
    requireFormToken(request, session, isStreamed ? (await uploadOf(request)).fields : request.body);
  }
  const visit = await readVisitUnlessEnded(deps, exchange, session);
  if (visit === undefined) return signInFirst(deps, exchange, { form, sender: session });
  if (!reaches(visit, route.reach)) return respond(visit, outOfReachPage(visit));
  if (route.asksFirst && !signedInLately(deps, visit.me, 2)) return confirmFirst(deps, visit, route);
  return answerVisit(deps, visit, route);
}

/** Runs the handler of a visit in its turn, and sends what it answers. */
async function answerVisit(deps: PageDeps, visit: ConsoleVisit, route: AnsweredRoute): Promise<FastifyReply> {
  const { handler, form, isStreamed } = route;
  const run = async () => {
    const seen = await withReturnedForm(deps, visit);
    return { seen, answer: await handler(seen) };
  };
  try {
    // A file takes as long as its client likes.
    const shown = form === undefined ? await showRefusedPage(deps, visit) : undefined;
    if (shown !== undefined) return shown.sent;
    const { seen, answer } = await (isStreamed ? run() : pageTurns.run(visit.me.orgId, run));
    if (form !== undefined && isRefusedPage(answer))
      return refuseConsoleForm(deps, seen, { form, page: answer });
    return respond(seen, answer);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.needsFreshSignIn) {
      const act = form && ((await route.says?.(visit)) ?? (await actOfForm(visit, form, route.shownBy())));
      return signInFirst(deps, visit, { form, sender: visit.session, again: { me: visit.me, act } });
    }
    if (error.status === 401) return signInFirst(deps, visit, { form, sender: visit.session });
    return respond(visit, problemPage(visit, error));
  }
}

/**
 * Has the person prove again who it is before a page with a form is shown. The sign-in says what the page is for. A page that the person does
 * not reach, or that leads elsewhere, asks for nothing.
 */
async function confirmFirst(
  deps: PageDeps,
  visit: ConsoleVisit,
  { handler }: AnsweredRoute,
): Promise<FastifyReply> {
  const { me, session, at } = visit;
  let act: string | undefined;
  let cancelTo: string | undefined;
  try {
    const page = await pageTurns.run(me.orgId, async () => handler(visit));
    if (!('content' in page) || (page.status ?? 200) >= 400) return respond(visit, page);
    act = actOfPage(visit, page);
    cancelTo = page.crumbs?.at(-1)?.href.slice(at('').length);
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    // What the page shows needs the sign-in, too.
    if (!error.needsFreshSignIn) return respond(visit, problemPage(visit, error));
  }
  const again = { me, act, ...(cancelTo !== undefined && { cancelTo }) };
  return signInFirst(deps, visit, { form: undefined, sender: session, again });
}

function isRefusedPage(answer: VisitAnswer): answer is ConsolePage {
  return 'content' in answer && (statusOfPage(answer) ?? 200) >= 400;
}

/** The visit of a page, with the form that the person sent before the sign-in. A page that is refused because too many wait takes no form. */
async function withReturnedForm(deps: PageDeps, visit: ConsoleVisit): Promise<ConsoleVisit> {
  if (visit.request.method !== 'GET') return visit;
  return { ...visit, draft: await takeForm(deps, visit, visit.me.userId) };
}

/**
 * Leads the browser to the sign-in, and back to the page of the request.
 * @param asked `sender`: the session whose page made the form, which is then kept. Absent if another site may have made it.
 * `again`: the person, who must sign in even with a session
 */
async function signInFirst(
  deps: PageDeps,
  { request, reply }: HttpExchange,
  asked: { form: ConsoleForm | undefined; sender?: ConsoleSession; again?: ProofAgain },
): Promise<FastifyReply> {
  const { form, sender, again } = asked;
  const to = form === undefined ? request.url : pageOfForm(form, request, sender !== undefined);
  if (form !== undefined && sender !== undefined) {
    await keepForm(deps, { request, reply }, { form, session: sender });
  }
  // A person who cancels a form is back at its page, and one who cancels a page is where it hangs.
  const cancelTo = form === undefined ? '/console' : to;
  return beginSignIn(deps, reply, { to, ...(again && { again: { cancelTo, ...again } }) });
}

/** Undefined if the sign-in has ended: the session, the role of the person, or the person. */
async function readVisitUnlessEnded(
  deps: PageDeps,
  exchange: HttpExchange,
  session: ConsoleSession,
): Promise<ConsoleVisit | undefined> {
  try {
    return await readVisit(deps, exchange, session);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 401) return undefined;
    throw error;
  }
}

/** @throws ApiProblem */
async function readVisit(
  deps: PageDeps,
  { request, reply }: HttpExchange,
  session: ConsoleSession,
): Promise<ConsoleVisit> {
  const { config } = deps;
  const api = createConsoleApi(request, session.accessToken);
  const me = await api.get<Me>('/admin/v1/me');
  const language = languageOf(me, request);
  const at = (path: string, query = {}) => `${config.baseUrl}${withQuery(path, query)}`;
  const timeZone = readTimeZone(me.timezone ?? '');
  return {
    request,
    reply,
    session,
    api,
    me,
    language,
    timeZone,
    isFresh: signedInLately(deps, me, 1),
    t: consoleTexts[language],
    at,
    draft: undefined,
  };
}

function languageOf({ preferredLanguage }: Me, { headers }: FastifyRequest) {
  return chooseLanguage(
    preferredLanguage === undefined ? [] : [preferredLanguage],
    headers['accept-language'],
  );
}

/** Whether a role of the person reaches the page. */
function reaches(visit: ConsoleVisit, reach: Reach): boolean {
  if (reach === 'anyone' || ownsInstance(visit)) return true;
  const orgId = param(visit, 'orgId');
  return reach === 'organization' && visit.me.roles.some((held) => held.orgId === orgId);
}

/** How long a form with several steps may take, in seconds. */
const stepsSeconds = 20;

/**
 * Whether the person signed in so lately that a form can be sent. A sign-in of the last minute always counts. Otherwise a very short setting
 * would ask for one sign-in after the other.
 * @param share 2 before a form is shown: half of the time must be left to fill it in. 1 when it is sent
 */
function signedInLately({ clock, config }: PageDeps, { signedInAt }: Me, share: 1 | 2): boolean {
  const seconds = (clock.now().getTime() - Date.parse(signedInAt ?? '')) / 1000;
  return seconds <= Math.max(60, config.freshSignInSeconds / share - stepsSeconds);
}
