import type { FastifyRequest } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import type { ConsoleForm } from '#src/http/base/route-facts.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { unixSeconds } from '#src/platform/clock.js';
import { AppError } from '#src/platform/errors.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { type Draft, draftSeconds } from '../drafts/drafts.store.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { withoutQuery, withQuery } from './api.js';
import { type ConsoleSession, userIdOf } from './console-session.js';
import { readSealed, removeSealed, writeSealed } from './sealed-cookie.js';
import { fieldText, param } from './visit.js';

type Deps = Pick<ConsoleNeeds, 'config' | 'clock' | 'consoleSealer' | 'consoleDrafts'>;

/** What the browser knows of the form that it sent. */
interface DraftCookie {
  readonly secret: string;
  readonly userId: string;
  /** The hash of the address of the page that shows the form. Addresses may be long. */
  readonly pageHash: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The address of the page that shows the form of a request. If an identifier in it is `.` or `..`, it is the console.
 * @param isOurs whether a page of this service made the form
 */
export function pageOfForm(
  { shownAt, query = {} }: ConsoleForm,
  request: FastifyRequest,
  isOurs: boolean,
): string {
  let path: string;
  try {
    path = shownAt.replace(/:(\w+)/g, (_, name: string) => pathSegment(param({ request }, name)));
  } catch (error) {
    if (error instanceof AppError) return '/console';
    throw error;
  }
  const values = Object.entries(query).map(([name, from]) => [name, fieldText({ request }, from)] as const);
  return isOurs ? withQuery(path, Object.fromEntries(values)) : path;
}

/**
 * Keeps the form of the request until its person has signed in again. Call it only if the form has the token of the session: then this
 * person opened the form in this browser.
 * @param session with which the form was sent. It may have ended
 */
export async function keepForm(
  deps: Deps,
  { request, reply }: HttpExchange,
  { form, session }: { form: ConsoleForm; session: ConsoleSession },
): Promise<void> {
  const userId = userIdOf(session);
  const typed = typedIn(form, request.body);
  const draft: Draft = { action: withoutQuery(request.url), ...(typed && { typed }) };
  const value: DraftCookie = {
    secret: await deps.consoleDrafts.put(userId, draft),
    userId,
    pageHash: hashSecret(pageOfForm(form, request, true)),
    expiresAt: unixSeconds(deps.clock.now()) + draftSeconds,
  };
  writeSealed(deps, reply, { kind: 'draft', value, maxAge: draftSeconds });
}

/**
 * Finds what this person sent from this browser before, if the requested page is the one with that form. It can be taken once. If nothing
 * was kept, no round trip is needed.
 * @param userId of the person who is signed in
 */
export async function takeForm(
  deps: Deps,
  { request, reply }: HttpExchange,
  userId: string,
): Promise<Draft | undefined> {
  const cookie = readSealed<DraftCookie>(deps, request, 'draft');
  if (cookie === undefined || cookie.userId !== userId) return undefined;
  if (cookie.pageHash !== hashSecret(request.url)) return undefined;
  removeSealed(deps, reply, 'draft');
  if (cookie.expiresAt <= unixSeconds(deps.clock.now())) return undefined;
  return deps.consoleDrafts.take(userId, cookie.secret);
}

/** The fields that may be shown again. Undefined if the person fills in the whole form once more. */
function typedIn({ returns }: ConsoleForm, body: unknown): Draft['typed'] {
  if (returns === 'nothing') return undefined;
  const left = new Set(['csrf', ...(returns === 'everything' ? [] : returns.allBut)]);
  const fields = Object.entries((body ?? {}) as Readonly<Record<string, string | readonly string[]>>);
  return Object.fromEntries(
    fields.filter(([name]) => !left.has(name)).map(([name, value]) => [name, [value].flat()]),
  );
}
