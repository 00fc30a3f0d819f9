import type { FastifyRequest } from 'fastify';
import { findApplication } from '#src/authorization/find-application.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';
import { homeOf, languageOf, signedInAt } from '#src/http/auth/signed-in.js';
import { chooseLanguage, pageLanguage } from '#src/http/base/language.js';
import type { PageLook } from '#src/http/pages/page-frame.js';
import type { LoginNeeds } from '../needs/needs.js';
import { flowOf } from './visit.js';

export type ErrorLookDeps = Pick<
  LoginNeeds,
  'config' | 'sessions' | 'people' | 'authorizationRequests' | 'caches'
>;

/**
 * The look of the page about an error: that of the application that waits, or else that of the people who are signed in. A page can do
 * without it, so a problem with a store leaves the page plain.
 * @param isPlain whether to ask no store, because one may be away
 */
export async function errorLook(
  deps: ErrorLookDeps,
  request: FastifyRequest,
  isPlain: boolean,
): Promise<PageLook> {
  const plain = { baseUrl: deps.config.baseUrl, language: pageLanguage(request) };
  if (isPlain) return plain;
  try {
    const agent = readAgent(deps, request);
    const people = agent === undefined ? [] : await signedInAt(deps, agent.hash);
    const orgId = (await orgOfFlow(deps, request)) ?? homeOf(people);
    const organization = orgId === undefined ? undefined : await deps.caches.organizations.get(orgId);
    const chosen = languageOf(people);
    const language = chosen === undefined ? plain.language : chooseLanguage([chosen], plain.language);
    return { ...plain, language, organization };
  } catch {
    return plain;
  }
}

/** The organization of the application whose request the form or the address names. */
async function orgOfFlow(deps: ErrorLookDeps, request: FastifyRequest): Promise<string | undefined> {
  const flow = flowOf(request.query) || flowOf(request.body);
  const found = flow === '' ? undefined : await deps.authorizationRequests.find(flow);
  return found && (await findApplication(deps, found.clientId))?.orgId;
}
