import { admissionOfOrganization } from '#src/authorization/admission.js';
import type { WaitingRequest } from '#src/authorization/authorization-requests.store.js';
import { scopeToConsent } from '#src/authorization/requested-claims.js';
import { parseScope } from '#src/authorization/scope.js';
import type { Application } from '#src/clients/applications/index.js';
import { giveConsent } from '#src/clients/consents/index.js';
import { type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import type { Language } from '#src/http/base/language.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** A request that waits for the consent of the person of a session at this browser. */
export interface AskedConsent {
  readonly waiting: WaitingRequest;
  readonly application: Application;
  readonly session: SignedIn;
}

/** What the request of a visit asks for. Undefined if it has no session, or one that has ended. */
export async function askedConsent(
  deps: Pick<LoginNeeds, 'people' | 'sessions'>,
  { agent, waiting, application }: Visit,
): Promise<AskedConsent | undefined> {
  if (waiting?.sessionId === undefined || application === undefined) return undefined;
  const sessions = await signedInAt(deps, agent.hash);
  const session = sessions.find(({ id }) => id === waiting.sessionId);
  return session && { waiting, application, session };
}

type AdmissionDeps = Parameters<typeof admissionOfOrganization>[0];

/** Whether the application may serve the person only with a stored consent. */
export async function needsConsent(
  deps: AdmissionDeps,
  { application, session }: AskedConsent,
): Promise<boolean> {
  return (await admissionOfOrganization(deps, application, session.orgId)) === 'consentNeeded';
}

/** Stores a consent where one is needed. An application that serves the organization anyway asks again another time. */
export async function storeConsent(
  deps: AdmissionDeps & Parameters<typeof giveConsent>[0] & Pick<LoginNeeds, 'users'>,
  asked: AskedConsent,
): Promise<void> {
  if (!(await needsConsent(deps, asked))) return;
  const { waiting, application, session } = asked;
  const { orgId, userId } = session;
  const user = await deps.users.find(orgId, userId);
  if (user === undefined) return;
  const editor = { userId, service: 'login' };
  const scopes = parseScope(scopeToConsent(waiting.scope, waiting.claims)).known;
  await giveConsent(deps, { user, clientId: application.id, scopes, editor });
}

/** The names of the organizations whose projects a request names, in words. A project that does not exist has none. */
export async function ownersOfProjects(
  deps: Pick<LoginNeeds, 'projects' | 'caches'>,
  { waiting }: Pick<AskedConsent, 'waiting'>,
  language: Language,
): Promise<string> {
  const scope = scopeToConsent(waiting.scope, waiting.claims);
  const claims = await deps.projects.claimsOf(parseScope(scope).projects);
  const orgIds = new Set([...claims.values()].map(({ orgId }) => orgId));
  const owners = await Promise.all([...orgIds].map((id) => deps.caches.organizations.get(id)));
  const names = owners.flatMap((owner) => (owner === undefined ? [] : [owner.name]));
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(names.sort());
}
