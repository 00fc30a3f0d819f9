import {
  type FactorPage,
  isEnough,
  provedSince,
  type SignInRules,
  type TimedProof,
} from '#src/authentication/proofs/index.js';
import type { AuthorizationRequest } from '#src/authorization/authorization-request.js';
import { parseScope } from '#src/authorization/scope.js';
import { signInDemands } from '#src/authorization/sign-in-demands.js';
import type { Application } from '#src/clients/applications/index.js';
import { administersFor, adminScope } from '#src/directory/index.js';
import type { Session } from '#src/sessions/session.js';
import { RedirectedError } from './request/errors.js';

/** A page that the person must visit first. */
export type LoginPage = 'select' | 'register' | 'consent' | FactorPage;

/** A page that the person must visit first, for the person of a session or for anybody. */
export interface Asking {
  readonly ask: LoginPage;
  readonly of?: Session;
}

/** A session that answers, and its proofs that count for the request. */
export interface ChosenSession {
  readonly session: Session;
  readonly proofs: readonly TimedProof[];
}

/**
 * The session that answers the request, the page that asks the person first, or a session that lacks a proof (`lacking`). What the person
 * of that session can prove then decides.
 */
export type Choice = ChosenSession | { readonly lacking: ChosenSession } | Asking;

export interface ChooseSessionInput {
  readonly request: AuthorizationRequest;
  readonly application: Pick<Application, 'acr' | 'orgId' | 'orgOnly' | 'administers'>;
  /** The live sessions of the agent. */
  readonly sessions: readonly Session[];
  /** The rules for the people of an organization. */
  readonly rulesOf: (session: Session) => SignInRules;
  readonly now: Date;
}

/**
 * The session that answers the request, or the page that asks the person first (OpenID Connect Core section
 * 3.1.2.3).
 * @throws RedirectedError `login_required` and `interaction_required` when `prompt=none` forbids a page;
 * `login_required` and `access_denied` when another person signed in than the request allows
 */
export function chooseSession(input: ChooseSessionInput): Choice {
  const { request, sessions } = input;
  const chosen = sessions.find(({ id }) => id === request.sessionId);
  if (chosen !== undefined) return useChosen(input, chosen);

  const { prompts } = request;
  if (prompts.includes('create')) return { ask: 'register' };
  // The chosen session has ended. The person chooses again, and no other session replaces it silently.
  if (prompts.includes('select_account') || request.sessionId !== undefined) {
    return { ask: sessions.length > 0 ? 'select' : 'login' };
  }
  const candidates = sessions.filter((session) => isMeant(input, session) && isHinted(request, session));
  const [first, second] = candidates;
  if (prompts.includes('none')) return requireOne(input, candidates);
  if (prompts.includes('login') || first === undefined) return { ask: 'login' };
  if (second !== undefined) return { ask: 'select' };
  return weigh(input, first);
}

/**
 * The person chose this session for this request. The session must still meet the conditions of the request.
 */
function useChosen(input: ChooseSessionInput, session: Session): Choice {
  const { request } = input;
  if (request.hintedUserId !== undefined && request.hintedUserId !== session.userId) {
    throw new RedirectedError('login_required', 'Another person signed in than the id_token_hint names');
  }
  if (!isAllowed(request, session)) {
    throw new RedirectedError('login_required', 'Another person signed in than the claims parameter names');
  }
  if (!isMeant(input, session)) {
    throw new RedirectedError('access_denied', 'The person does not belong to the organization');
  }
  const isFresh = session.authTime >= request.created;
  if (request.prompts.includes('create') && !isFresh) return { ask: 'register' };
  if (request.prompts.includes('login') && !isFresh) return { ask: 'login' };
  return weigh(input, session);
}

/** Whether the proofs of a session that count for the request are enough for it and for the organization. */
function weigh(input: ChooseSessionInput, session: Session): Choice {
  const { demands, chosen } = count(input, session);
  return isEnough(input.rulesOf(session), chosen.proofs, demands) ? chosen : { lacking: chosen };
}

function count({ request, ...at }: ChooseSessionInput, session: Session) {
  const demands = signInDemands(request, at);
  return { demands, chosen: { session, proofs: provedSince(session.proofs, demands.since) } };
}

/** The only session that suits. What the request merely prefers asks nobody, because `prompt=none` forbids it. */
function requireOne(input: ChooseSessionInput, candidates: readonly Session[]): ChosenSession {
  const [only, another] = candidates;
  if (another !== undefined) {
    throw new RedirectedError('interaction_required', 'The person must choose an account');
  }
  const { demands, chosen } = only === undefined ? {} : count(input, only);
  const rules = only && input.rulesOf(only);
  if (!chosen || !rules || !isEnough(rules, chosen.proofs, { ...demands, preferred: undefined })) {
    throw new RedirectedError('login_required', 'The person must sign in');
  }
  return chosen;
}

/** Whether the application and the scope admit people of the session's organization. */
function isMeant({ request, application }: ChooseSessionInput, { orgId }: Session): boolean {
  if (application.orgOnly && application.orgId !== orgId) return false;
  const { known, organizations } = parseScope(request.scope);
  if (known.includes(adminScope) && !administersFor(application, orgId)) return false;
  return organizations.every((organization) => organization === orgId);
}

function isHinted(request: AuthorizationRequest, session: Session): boolean {
  const { hintedUserId, loginHint } = request;
  const { userId, userName } = session;
  if (!isAllowed(request, session)) return false;
  if (hintedUserId !== undefined) return hintedUserId === userId;
  return loginHint === undefined || loginHint.toLowerCase() === userName.toLowerCase();
}

/** Whether the `sub` that the parameter `claims` demands is this person's (OpenID Connect Core section 5.5.1). */
function isAllowed({ subjects }: AuthorizationRequest, { userId }: Session): boolean {
  return subjects === undefined || subjects.includes(userId);
}
