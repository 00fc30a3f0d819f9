import { readConfirmation } from '#src/http/auth/confirmation.js';
import { type SignedIn, signedInAt } from '#src/http/auth/signed-in.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { type Visit, visitLanguage } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';
import { texts } from '../texts/texts.js';

type Deps = Pick<LoginNeeds, 'caches' | 'clock' | 'config' | 'confirmationSealer' | 'people' | 'sessions'>;

/** A person who is signed in at this browser, and proves again who it is. */
export interface PersonToConfirm extends Pick<SignedIn, 'userId' | 'orgId' | 'userName'> {
  /** What the person is about to do, if the application of the request is the console. */
  readonly act: string | undefined;
}

/**
 * The visit of a person who must prove again who it is, in the person's language and look: the request allows nobody else, and the browser
 * has a session of this person. Without a session nobody learns from a link which login name an identifier has.
 */
export async function readPersonToConfirm(
  deps: Deps,
  request: HttpExchange['request'],
  visit: Visit,
): Promise<{ readonly visit: Visit; readonly person?: PersonToConfirm }> {
  const userId = onlyPersonOf(visit);
  if (userId === undefined) return { visit };
  const found = (await signedInAt(deps, visit.agent.hash)).find((session) => session.userId === userId);
  if (found === undefined || (visit.onlyOrgId ?? found.orgId) !== found.orgId) return { visit };
  const { orgId, userName } = found;
  const language = visitLanguage(visit, found.language);
  const organization = visit.organization ?? (await deps.caches.organizations.get(orgId));
  return {
    visit: { ...visit, language, texts: texts[language], ...(organization && { organization }) },
    person: { userId, orgId, userName, act: readAct(deps, request, visit, userId) },
  };
}

/** What the person is about to do, if this browser began the waiting request for it. */
export function readAct(
  deps: Pick<Deps, 'clock' | 'config' | 'confirmationSealer'>,
  request: HttpExchange['request'],
  { waiting }: Pick<Visit, 'waiting'>,
  userId: string,
): string | undefined {
  return waiting && readConfirmation(deps, request, { state: waiting.state, userId });
}

/** The only person whom the waiting request allows. */
function onlyPersonOf({ waiting }: Pick<Visit, 'waiting'>): string | undefined {
  const { hintedUserId, subjects = [] } = waiting ?? {};
  const [only = hintedUserId, another] = subjects;
  if (another !== undefined || (hintedUserId ?? only) !== only) return undefined;
  return only;
}
