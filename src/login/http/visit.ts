import type { FastifyRequest } from 'fastify';
import { maxFlowLength, type WaitingRequest } from '#src/authorization/authorization-requests.store.js';
import { findApplication } from '#src/authorization/find-application.js';
import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/clients/applications/index.js';
import type { Organization, User } from '#src/directory/index.js';
import { type Agent, ensureAgent, readAgent } from '#src/http/auth/agent-cookie.js';
import { isCsrfToken } from '#src/http/auth/csrf.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { chooseLanguage, type Language, pageLanguage } from '#src/http/base/language.js';
import { readTimeZone } from '#src/http/base/local-time.js';
import { formText } from '#src/http/pages/form-text.js';
import { chosenLanguage } from '#src/people/users/index.js';
import { AppError } from '#src/platform/errors.js';
import type { LoginNeeds } from '../needs/needs.js';
import { type Texts, texts } from '../texts/texts.js';
import { loginErrors } from './errors.js';
import { readOwnFlow } from './own-flow.js';

/** A visit to a page: the agent, the sign-in it belongs to, and the look of the page. */
export interface Visit {
  readonly agent: Agent;
  readonly language: Language;
  readonly texts: Texts;
  /** The time zone of the person's profile. */
  readonly timeZone?: string | undefined;
  /** The flow of the waiting authorization request, or '' for a visit without one. */
  readonly flow: string;
  /** The flow that the browser named. Its request began anew if it is not {@link flow}. */
  readonly namedFlow: string;
  readonly waiting?: WaitingRequest;
  readonly application?: Application;
  /** The organization whose look and rules the page has. */
  readonly organization?: Organization;
  /** The only organization whose people may sign in here. */
  readonly onlyOrgId?: string;
}

type Deps = Pick<LoginNeeds, 'config' | 'sessions' | 'authorizationRequests' | 'caches'>;

/**
 * Reads what a page must know. A waiting request whose application was removed or deactivated has no application here;
 * the authorization endpoint refuses it after the sign-in.
 * @param namedFlow the flow of an authorization request, or '' for a visit without one
 * @param options `isChoice`: whether the page lets people who are signed in choose
 * @throws as `readOwnFlow`
 */
export async function readVisit(
  deps: Deps,
  { request, reply }: HttpExchange,
  namedFlow: string,
  { isChoice = false }: { readonly isChoice?: boolean } = {},
): Promise<Visit> {
  const known = readAgent(deps, request);
  const agent = known ?? ensureAgent(deps, request, reply);
  const { method } = request;
  const question = { method, agent: known, isChoice };
  const found = namedFlow === '' ? undefined : await readOwnFlow(deps, question, namedFlow);
  const { flow = '', waiting } = found ?? {};
  const application = waiting && (await findApplication(deps, waiting.clientId));
  const [scopedOrgId] = parseScope(waiting?.scope ?? '').organizations;
  const onlyOrgId = scopedOrgId ?? (application?.orgOnly ? application.orgId : undefined);
  const orgId = onlyOrgId ?? application?.orgId;
  const organization = orgId === undefined ? undefined : await deps.caches.organizations.get(orgId);
  const language = pageLanguage(request, waiting?.uiLocales);
  return {
    agent,
    language,
    texts: texts[language],
    flow,
    namedFlow,
    ...(waiting && { waiting }),
    ...(application && { application }),
    ...(organization && { organization }),
    ...(onlyOrgId !== undefined && { onlyOrgId }),
  };
}

/**
 * The visit as a person sees it, once it is known who visits: in the language that the person chose, unless the application asked for
 * another, in the time zone of the person's profile, and in the look of the person's organization, unless the application has one.
 */
export function seenBy(
  visit: Visit,
  person: Pick<User, 'preferredLanguage' | 'preferredLanguageGiven' | 'timezone'>,
  home?: Organization,
): Visit {
  const chosen = chosenLanguage(person);
  const organization = visit.organization ?? home;
  const language = visitLanguage(visit, chosen);
  const timeZone = person.timezone && readTimeZone(person.timezone);
  return { ...visit, language, texts: texts[language], timeZone, ...(organization && { organization }) };
}

/** The language of a visit by a person who chose this one, if any. */
export function visitLanguage({ waiting, language }: Visit, chosen: string | undefined): Language {
  return chosen === undefined ? language : chooseLanguage([...(waiting?.uiLocales ?? []), chosen], language);
}

/** The flow that a form or a query names. It is '' when there is none, and for one that is too long. */
export function flowOf(source: unknown): string {
  const { request } = (source ?? {}) as { request?: unknown };
  return typeof request === 'string' && request.length <= maxFlowLength ? request : '';
}

/**
 * @throws AppError `login.formExpired` unless a page of this service made the form for this agent and purpose
 */
export function requireOwnForm(deps: Pick<Deps, 'config'>, request: FastifyRequest, purpose: string): void {
  if (!isCsrfToken(formText(request.body, 'csrf'), readAgent(deps, request), purpose)) {
    throw new AppError(loginErrors.formExpired);
  }
}
