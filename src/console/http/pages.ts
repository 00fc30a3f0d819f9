import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isCsrfToken } from '#src/http/auth/csrf.js';
import { chooseLanguage } from '#src/http/base/language.js';
import type { ConsoleForm, RouteFacts } from '#src/http/base/route-facts.js';
import { AppError } from '#src/platform/errors.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { consoleTexts } from '../texts/texts.js';
import { ApiProblem, createConsoleApi, withoutQuery, withQuery } from './api.js';
import { type ConsoleSession, hasExpired, readConsoleSession } from './console-session.js';
import { consoleErrors } from './errors.js';
import { pageTurns } from './page-turns.js';
import { outOfReachPage, problemPage } from './problem-page.js';
import { type ConsolePage, type GoTo, respond, type Sent } from './respond.js';
import { keepForm, pageOfForm, takeForm } from './returned-form.js';
import { beginSignIn } from './sign-in.js';
import { takeUploads, type Upload, uploadOf } from './uploads.js';
import { type ConsoleVisit, type Me, ownsInstance, param } from './visit.js';

/** What the person gets: a page, another place to go to, or a download that was sent. */
type VisitAnswer = ConsolePage | GoTo | Sent;

/** Answers a visit. It may throw an ApiProblem, which becomes a page that says what was wrong. */
type PageHandler = (visit: ConsoleVisit) => Promise<VisitAnswer>;

interface PageFacts extends RouteFacts {
  /** The person must have signed in lately before the page is shown. The form that it has can then be sent at once. */
  readonly asksFirst?: boolean;
}

/** Every form says what becomes of it if its person must sign in before it counts. */
interface FormFacts extends RouteFacts, ConsoleForm {
  /** The most bytes of the form, if it holds more than other forms. */
  readonly formBytes?: number;
}

/** Answers a form with a file. */
type UploadHandler = (visit: ConsoleVisit, upload: Upload) => Promise<VisitAnswer>;

/** Adds pages and forms to a scope. */
export interface ConsolePages {
  get(path: string, handler: PageHandler, facts?: PageFacts): void;
  /** A form. Its token is checked before the handler runs. */
  post(path: string, handler: PageHandler, facts: FormFacts): void;
  /** A form with one file, behind its other fields. Its token is checked before the file is read. Nothing of it is kept. */
  upload(path: string, handler: UploadHandler, facts: Omit<FormFacts, 'returns'>): void;
}

/** @param reach whose roles reach the pages. Others see no form that the API would refuse. The API decides all the same */
export function consolePages(
  app: FastifyInstance,
  deps: Pick<ConsoleNeeds, 'clock' | 'config' | 'consoleDrafts' | 'consoleSealer'>,
  reach: NonNullable<RouteFacts['console']>,
): ConsolePages {
  const { baseUrl } = deps.config;

  async function visitOf(
    request: FastifyRequest,
    reply: FastifyReply,
    session: ConsoleSession,
  ): Promise<ConsoleVisit> {
    const api = createConsoleApi(request, session.accessToken);
    const me = await api.get<Me>('/admin/v1/me');
    const own = me.preferredLanguage === undefined ? [] : [me.preferredLanguage];
    const language = chooseLanguage(own, request.headers['accept-language']);
    const at = (path: string, query = {}) => `${baseUrl}${withQuery(path, query)}`;
    return { request, reply, session, api, me, language, t: consoleTexts[language], at, draft: undefined };
  }

  function add(
    path: string,
    handler: PageHandler,
    given: PageFacts & { readonly form?: ConsoleForm; readonly formBytes?: number } = {},
  ): void {
    const { asksFirst = false, formBytes, ...facts } = given;
    const { form } = facts;
    app.route({
      method: form === undefined ? 'GET' : 'POST',
      url: path,
      config: { page: true, console: reach, ...facts },
      schema: { hide: true },
      ...(formBytes !== undefined && { bodyLimit: formBytes }),
      async handler(request, reply) {
        if (form !== undefined) requireSameOrigin(baseUrl, request);
        const session = readConsoleSession(deps, request);
        /** @param options `isOurs`: whether a page of this session made the form */
        const signIn = async ({ isOurs = true, isFresh = false } = {}) => {
          const to = form === undefined ? request.url : pageOfForm(form, request, isOurs);
          if (form !== undefined && session !== undefined && isOurs)
            await keepForm(deps, { request, reply }, { form, session });
          return beginSignIn(deps, reply, { to, isFresh });
        };
        if (session === undefined) return signIn({ isOurs: false });
        if (hasExpired(deps, session))
          return signIn({ isOurs: !facts.streamed && hasFormToken(request, session, request.body) });
        if (form !== undefined)
          requireFormToken(request, session, facts.streamed ? await fieldsOf(request) : request.body);
        let visit: ConsoleVisit;
        try {
          visit = await visitOf(request, reply, session);
        } catch (error) {
          if (!isEnded(error)) throw error;
          return signIn();
        }
        if (!reaches(visit, reach)) return respond(visit, outOfReachPage(visit));
        if (asksFirst && !signedInLately(visit.me)) return signIn({ isFresh: true });
        const answer = async () => {
          // A page that is refused because too many wait takes no form.
          if (request.method === 'GET')
            visit = { ...visit, draft: await takeForm(deps, { request, reply }, visit.me.userId) };
          return handler(visit);
        };
        try {
          // A file takes as long as its client likes.
          const answered = await (facts.streamed ? answer() : pageTurns.run(visit.me.orgId, answer));
          return respond(visit, answered);
        } catch (error) {
          if (!(error instanceof ApiProblem)) throw error;
          if (error.needsFreshSignIn) return signIn({ isFresh: true });
          if (error.status === 401) return signIn();
          return respond(visit, problemPage(visit, error));
        }
      },
    });
  }

  /** Half of the time is left for the form. A minute always passes, so that a very short time leads to no circle. */
  function signedInLately({ signedInAt }: Me): boolean {
    const seconds = (deps.clock.now().getTime() - Date.parse(signedInAt ?? '')) / 1000;
    return seconds <= Math.max(60, deps.config.freshSignInSeconds / 2);
  }

  const post = (path: string, handler: PageHandler, given: FormFacts) => {
    const { shownAt, query, returns, ...facts } = given;
    add(path, handler, { ...facts, form: { shownAt, returns, ...(query && { query }) } });
  };

  return {
    get: add,
    post,
    upload(path, handler, facts) {
      takeUploads(app);
      const answer = async (visit: ConsoleVisit) => {
        const upload = await uploadOf(visit.request);
        return handler(visit, upload).finally(upload.end);
      };
      post(path, answer, { ...facts, returns: 'nothing', streamed: true });
    },
  };
}

/** Whether a role of the person reaches the page. */
function reaches(visit: ConsoleVisit, reach: NonNullable<RouteFacts['console']>): boolean {
  if (reach === 'anyone' || ownsInstance(visit)) return true;
  const orgId = param(visit, 'orgId');
  return reach === 'organization' && visit.me.roles.some((held) => held.orgId === orgId);
}

async function fieldsOf(request: FastifyRequest): Promise<unknown> {
  return (await uploadOf(request)).fields;
}

/** Whether the sign-in has ended: the session, the role of the person, or the person. */
function isEnded(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401;
}

/** Browsers name the origin of a page with each form. Forms of other sites are refused, with and without a session. */
function requireSameOrigin(baseUrl: string, { headers }: FastifyRequest): void {
  if (headers.origin !== new URL(baseUrl).origin) throw new AppError(consoleErrors.formExpired);
}

function requireFormToken(...given: Parameters<typeof hasFormToken>): void {
  if (!hasFormToken(...given)) throw new AppError(consoleErrors.formExpired);
}

function hasFormToken(request: FastifyRequest, { secret }: ConsoleSession, fields: unknown): boolean {
  const { csrf } = (fields ?? {}) as { csrf?: unknown };
  return isCsrfToken(csrf, { secret, hash: '' }, `console ${withoutQuery(request.url)}`);
}
