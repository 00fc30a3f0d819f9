import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import type { Application } from '#src/directory/applications/application.js';
import type { Organization } from '#src/directory/organizations/organization.js';
import { type Agent, ensureAgent, readAgent } from '#src/http/auth/agent-cookie.js';
import { isCsrfToken } from '#src/http/auth/csrf.js';
import { chooseLanguage, type Language } from '#src/http/pages/language.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../errors.js';
import { type Texts, texts } from '../texts.js';

export { addressOf } from '#src/http/limits/caller-address.js';

export type WaitingRequest = NonNullable<Awaited<ReturnType<Container['authorizationRequests']['find']>>>;

/** A request of a person and the answer to it. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Who visits a page, on the way to what, and how it is to look. */
export interface Visit {
  readonly agent: Agent;
  readonly language: Language;
  readonly texts: Texts;
  /** The identifier of the waiting authorization request, or '' where there is none. */
  readonly flow: string;
  readonly waiting?: WaitingRequest;
  readonly application?: Application;
  /** The organization whose name and rules the page has. */
  readonly organization?: Organization;
  /** The only organization whose people may sign in here. */
  readonly onlyOrgId?: string;
}

type Deps = Pick<Container, 'config' | 'sessions' | 'authorizationRequests' | 'caches'>;

/**
 * Reads what a page must know. A flow that is named must be waiting, for this very agent.
 * @throws AppError `login.flowEnded`
 */
export async function readVisit(deps: Deps, { request, reply }: Exchange, flow: string): Promise<Visit> {
  const known = readAgent(deps, request);
  const agent = known ?? ensureAgent(deps, request, reply);
  const waiting = flow === '' ? undefined : await deps.authorizationRequests.find(flow);
  if (flow !== '') {
    const isOwn =
      waiting !== undefined &&
      known !== undefined &&
      (await deps.sessions.isSameAgent(known.hash, waiting.agentHash));
    if (!isOwn) throw new AppError(loginErrors.flowEnded);
  }
  const application = waiting && (await deps.caches.applications.get(waiting.clientId));
  const onlyOrgId =
    waiting && (scopedOrganization(waiting.scope) ?? (application?.orgOnly ? application.orgId : undefined));
  const orgId = onlyOrgId ?? application?.orgId;
  const organization = orgId === undefined ? undefined : await deps.caches.organizations.get(orgId);
  const language = languageOf(request, waiting?.uiLocales);
  return {
    agent,
    language,
    texts: texts[language],
    flow,
    ...(waiting && { waiting }),
    ...(application && { application }),
    ...(organization && { organization }),
    ...(onlyOrgId !== undefined && { onlyOrgId }),
  };
}

/** The language of a page for this browser. */
export function languageOf(request: FastifyRequest, locales: readonly string[] = []): Language {
  return chooseLanguage(locales, request.headers['accept-language']);
}

/** The organization that a scope demands the person to be of. */
function scopedOrganization(scope: string): string | undefined {
  return /(?:^| )urn:service:iam:org:id:([^ ]+)/.exec(scope)?.[1];
}

/** One value of a form or a query; '' where it is absent or given twice, and cut where nothing we take is longer. */
export function textOf(source: unknown, name: string): string {
  const fields = (source ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value.slice(0, 4_000) : '';
}

/** @throws AppError `login.formExpired` unless a page of ours made the form for this agent and purpose */
export function requireOwnForm(deps: Pick<Deps, 'config'>, request: FastifyRequest, purpose: string): void {
  if (!isCsrfToken(textOf(request.body, 'csrf'), readAgent(deps, request), purpose)) {
    throw new AppError(loginErrors.formExpired);
  }
}
