import { type AdmissionDeps, admissionOf } from '#src/authorization/admission.js';
import { parseScope } from '#src/authorization/scope.js';
import { type FreshSignInDeps, isFreshlySignedIn } from '#src/http/auth/fresh-sign-in.js';
import { unixSeconds } from '#src/platform/clock.js';
import type { Actor, TokenOrigin } from '#src/tokens/access-token-claims.js';
import { actorsOf } from '#src/tokens/refresh-tokens.js';
import { type MayUseDeps, mayUseApplication } from '../../authorize/may-use-application.js';
import type { AssertionIds } from '../../clients/assertion-ids.store.js';
import { checkAssertion } from '../../clients/check-assertion.js';
import {
  type Client,
  clientId,
  clientKeys,
  clientOrgId as clientOrgIdOf,
  hasSingleAudience,
} from '../../clients/client.js';
import { verifyClientJwt } from '../../clients/verify-client-jwt.js';
import { findById, type ImpersonationDeps, mayAllImpersonate } from '../../issuance/may-impersonate.js';
import { type SignInsBehindDeps, signInsRefusedBy } from '../../issuance/sign-ins-behind.js';
import type { Subject } from '../../issuance/subject.js';
import { OAuthError } from '../../protocol/oauth-error.js';
import type { HeldToken } from './held-token.js';
import { type HeldTokenDeps, readHeldToken } from './read-held-token.js';
import { type ExchangeParameters, type RequestedTokenType, tokenTypes } from './token-types.js';

/** A token names all its actors, so their number is bounded. */
const maxActors = 5;

export type ResolveDeps = HeldTokenDeps &
  ImpersonationDeps &
  AdmissionDeps &
  MayUseDeps &
  SignInsBehindDeps &
  FreshSignInDeps & { readonly assertionIds: Pick<AssertionIds, 'use'> };

/** A token names all tokens from which it was made, so their number is bounded. */
const maxOrigins = 10;

/** The result of an exchange, before the scope is chosen. */
export interface ResolvedExchange extends Omit<HeldToken, 'scopes'> {
  readonly requested: RequestedTokenType;
  /** All scopes that the subject or the actor has, space-delimited. */
  readonly grantable: string;
  /** The scope if the request asks for none. */
  readonly scope: string;
  /** All actors, the current one first. */
  readonly actors: readonly string[];
}

/**
 * Finds the subject and the actor, and what their tokens permit.
 * @throws OAuthError `invalid_request` for unusable tokens, and when the actor may not act as the subject
 * or a sign-in is weaker than demanded (RFC 8693 section 2.2.2); `invalid_target` for an audience that neither token has
 */
export async function resolveExchange(
  deps: ResolveDeps,
  client: Client,
  exchange: ExchangeParameters,
): Promise<ResolvedExchange> {
  const actor = exchange.actor && (await readHeldToken(deps, client, exchange.actor));
  if (actor !== undefined) await requireFreshActor(deps, actor);
  const held = await resolveSubject(deps, client, { exchange, actor });
  const { requested } = exchange;
  const origins = originsOf([held, ...(actor ? [actor] : [])]);
  const audience = chooseAudience(exchange.audience, [held, ...(actor ? [actor] : [])]);
  await requireAdmitted(deps, client, held);
  const fits = (scopes: Iterable<string>) => [...scopes].filter((scope) => belongs(scope, held.subject));
  const ofSubject = fits(held.scopes);
  const ofActor = fits(actor?.scopes ?? []);
  const scope = (held.scopes.size > 0 ? ofSubject : ofActor).join(' ');
  const grantable = [...new Set([...ofSubject, ...ofActor])].join(' ');
  const act = actor === undefined ? held.act : actFor(deps.config.baseUrl, actor, held);
  const actors = actorsOf(act);
  const clientOrgId = clientOrgIdOf(client);
  if (!(await mayAllImpersonate(deps, { actors, target: held.subject, clientOrgId }))) {
    // A client that only names a subject must not learn whether the subject exists.
    throw held.origins.length === 0
      ? unusable()
      : new OAuthError('invalid_request', 'The actor may not act as the subject');
  }
  await requireStrongSignIns(deps, client, { ...held, origins });
  const { scopes: _, ...subject } = held;
  // Issued tokens expire with the actor's at the latest.
  const expiresAt = Math.min(held.expiresAt, actor?.expiresAt ?? held.expiresAt);
  const actorAuthTime = actor === undefined ? held.actorAuthTime : (actor.actorAuthTime ?? actor.authTime);
  return {
    ...subject,
    requested,
    audience,
    scope,
    grantable,
    act,
    actors,
    actorAuthTime,
    origins,
    expiresAt,
  };
}

/**
 * A person who acts as another has signed in lately, as the own organization says. A stolen session must not reach the accounts of others.
 * @throws OAuthError `invalid_request`
 */
async function requireFreshActor(
  deps: ResolveDeps,
  { subject, authTime, actorAuthTime = authTime }: HeldToken,
): Promise<void> {
  if (subject.kind !== 'person') return;
  const signedInAt = actorAuthTime === undefined ? 0 : unixSeconds(actorAuthTime);
  const policy = (await deps.caches.organizations.get(subject.user.orgId))?.signInPolicy;
  const { freshSignInSeconds } = policy ?? {};
  if (
    isFreshlySignedIn(deps, { signedInAt, ...(freshSignInSeconds !== undefined && { freshSignInSeconds }) })
  )
    return;
  throw new OAuthError(
    'invalid_request',
    'The actor must have signed in lately: let the person sign in again',
  );
}

/**
 * The origins of all tokens, each once. Of origins that differ only in their time, the earliest is kept,
 * because its revocation time covers the others.
 */
function originsOf(tokens: readonly HeldToken[]): TokenOrigin[] {
  const byName = new Map<string, TokenOrigin>();
  for (const origin of tokens.flatMap(({ origins }) => origins)) {
    const { jti, sub, family = '', session = '', issuedAt } = origin;
    const name = [jti, sub, family, session].join(' ');
    const known = byName.get(name);
    if (known === undefined || issuedAt < known.issuedAt) byName.set(name, origin);
  }
  if (byName.size > maxOrigins)
    throw new OAuthError(
      'invalid_request',
      `Too many exchanges: more than ${maxOrigins} tokens are part of them`,
    );
  return [...byName.values()];
}

/**
 * The chain of actors (RFC 8693 section 4.1): the actor, then those that act as the actor, then those that
 * acted before.
 */
function actFor(iss: string, actor: HeldToken, held: HeldToken): Actor {
  const chain = chainOf({ iss, sub: actor.subject.user.id, ...(actor.act && { act: actor.act }) }, held.act);
  if (actorsOf(chain).length > maxActors)
    throw new OAuthError('invalid_request', `Too many actors: more than ${maxActors}`);
  return chain;
}

function chainOf({ iss, sub, act }: Actor, before: Actor | undefined): Actor {
  const nested = act === undefined ? before : chainOf(act, before);
  return { iss, sub, ...(nested !== undefined && { act: nested }) };
}

async function resolveSubject(
  deps: ResolveDeps,
  client: Client,
  { exchange, actor }: { exchange: ExchangeParameters; actor: HeldToken | undefined },
): Promise<HeldToken> {
  const { token, type } = exchange.subject;
  if (type === tokenTypes.accessToken || type === tokenTypes.idToken) {
    return readHeldToken(deps, client, { token, type });
  }
  if (actor === undefined) throw unusable();
  const userId = type === tokenTypes.jwt ? await subjectOfJwt(deps, client, token) : token;
  const subject = userId.length > 200 ? undefined : await findById(deps, userId);
  if (subject === undefined) throw unusable();
  // The request only names the subject, so it grants what the actor has.
  return { subject, audience: [], scopes: new Set(), origins: [], expiresAt: actor.expiresAt };
}

/**
 * The user in a JWT that the client signed. The JWT is an assertion except for its `sub`, which is the user. It works once.
 */
async function subjectOfJwt(
  { config, clock, assertionIds }: ResolveDeps,
  client: Client,
  token: string,
): Promise<string> {
  const claims = await verifyClientJwt(clientKeys(client), token, clock.now());
  const id = clientId(client);
  const single = hasSingleAudience(client);
  const audience = { issuer: config.baseUrl, endpoint: 'token' as const, single };
  const checked = claims && checkAssertion({ ...claims, sub: id }, { clientId: id, audience, clock });
  if (checked === undefined || typeof claims?.sub !== 'string') throw unusable();
  const { jti, expires } = checked;
  if (!(await assertionIds.use({ issuer: id, jti, jwt: token, expires }))) throw unusable();
  return claims.sub;
}

/** An application gets tokens by exchange only of the people whom it serves, and who may use it. */
async function requireAdmitted(
  deps: AdmissionDeps & MayUseDeps,
  client: Client,
  { subject, scopes }: HeldToken,
): Promise<void> {
  if (client.kind !== 'application') return;
  const { orgId, id: userId } = subject.user;
  const admission = await admissionOf(deps, client.application, {
    orgId,
    userId,
    scope: [...scopes].join(' '),
  });
  if (admission !== 'admitted' || !(await mayUseApplication(deps, client.application, userId)))
    throw unusable();
}

/**
 * Requires that the sign-ins behind the tokens are what the organizations of their people and the application demand. The endpoint has no
 * other code for tokens that are unacceptable by policy (RFC 8693 section 2.2.2). So the description names the error of RFC 9470.
 * @throws OAuthError `invalid_request`
 */
async function requireStrongSignIns(
  deps: SignInsBehindDeps,
  client: Client,
  tokens: Parameters<typeof signInsRefusedBy>[1],
): Promise<void> {
  const least = client.kind === 'application' ? client.application.acr : undefined;
  const refusing = await signInsRefusedBy(deps, tokens, least);
  if (refusing === undefined) return;
  // The policy of an organization meets the person at the sign-in. A client can ask only for the level of its application.
  const level = refusing === 'application' ? ` with acr_values=${least}` : '';
  throw new OAuthError(
    'invalid_request',
    `insufficient_user_authentication: let the person sign in again${level}, and exchange the new token`,
  );
}

/**
 * Whether the scope is true of the subject: a scope that names an organization asserts that the subject
 * belongs to it.
 */
function belongs(scope: string, { user }: Subject): boolean {
  return parseScope(scope).organizations.every((orgId) => orgId === user.orgId);
}

/** @throws OAuthError `invalid_target` (RFC 8693 section 2.2.2) */
function chooseAudience(asked: readonly string[] | undefined, held: readonly HeldToken[]): readonly string[] {
  if (asked === undefined) return held.find(({ audience }) => audience.length > 0)?.audience ?? [];
  const known = new Set(held.flatMap(({ audience }) => audience));
  if (!asked.every((name) => known.has(name))) {
    throw new OAuthError('invalid_target', 'The audience exceeds what the tokens hold');
  }
  return asked;
}

function unusable(): OAuthError {
  return new OAuthError('invalid_request', 'The subject_token is invalid or not for this client');
}
