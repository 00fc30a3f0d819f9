import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { unixSeconds } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';
import { type ConsoleCookieDeps, readSealed, removeSealed, writeSealed } from './sealed-cookie.js';

/** A person who is signed in to the console. It lives in a sealed cookie, so every process can serve it. */
export interface ConsoleSession {
  readonly accessToken: string;
  /** Ends the session at the sign-out without a question (RP-Initiated Logout section 2). */
  readonly idToken: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The secret of the form tokens of this person in this browser. */
  readonly secret: string;
}

/** A browser keeps an ended session so long, in seconds. It tells who had opened a form that was still open. */
const endedSeconds = 12 * 3_600;

/**
 * The latest session of this browser. Its access token may have expired since, at most twelve hours ago. Undefined after a
 * sign-out.
 */
export function readConsoleSession(
  deps: ConsoleCookieDeps,
  request: FastifyRequest,
): ConsoleSession | undefined {
  const session = readSealed<ConsoleSession>(deps, request, 'session');
  const now = unixSeconds(deps.clock.now());
  return session !== undefined && session.expiresAt + endedSeconds > now ? session : undefined;
}

/** Whether the access token has expired. A session may have ended before. */
export function hasExpired(
  { clock }: Pick<ConsoleCookieDeps, 'clock'>,
  { expiresAt }: Pick<ConsoleSession, 'expiresAt'>,
): boolean {
  return expiresAt <= unixSeconds(clock.now());
}

/** The user of a session. Only this service can have sealed the cookie, so the signature of the ID token is not checked again. */
export function userIdOf({ idToken }: Pick<ConsoleSession, 'idToken'>): string {
  return decodeJwt(idToken).sub ?? '';
}

/**
 * Signs the person in at this browser, until the access token expires. If the former session of the browser was of the same person, its
 * forms stay valid: a person may sign in again in one window and send the form of another.
 */
export function beginConsoleSession(
  deps: ConsoleCookieDeps,
  { request, reply }: HttpExchange,
  { expiresIn, ...tokens }: Pick<ConsoleSession, 'accessToken' | 'idToken'> & { expiresIn: number },
): void {
  const former = readConsoleSession(deps, request);
  const isSamePerson = former !== undefined && userIdOf(former) === userIdOf(tokens);
  const value: ConsoleSession = {
    ...tokens,
    expiresAt: unixSeconds(deps.clock.now()) + expiresIn,
    secret: isSamePerson ? former.secret : newSecret(),
  };
  writeSealed(deps, reply, { kind: 'session', value, maxAge: expiresIn + endedSeconds });
}

/** Ends the session in this browser. No form of it is valid or waits any more. */
export function endConsoleSession(deps: ConsoleCookieDeps, reply: FastifyReply): void {
  removeSealed(deps, reply, 'session');
  removeSealed(deps, reply, 'draft');
}

/** A sign-in that this browser has begun (RFC 6749 section 10.12, RFC 7636). */
interface RememberedSignIn {
  readonly state: string;
  readonly codeVerifier: string;
  /** The path of the console to which it leads back. */
  readonly to: string;
  /** The only person who may end it. */
  readonly userId?: string;
  /** The path of the console to which the person goes who does not sign in. */
  readonly cancelTo?: string;
}

/** How long a person may take to sign in, in seconds. */
const signInSeconds = 3_600;

/** Lets the browser keep a sign-in that begins, for one hour. */
export function rememberSignIn(deps: ConsoleCookieDeps, reply: FastifyReply, begun: RememberedSignIn): void {
  writeSealed(deps, reply, { kind: 'signIn', value: begun, maxAge: signInSeconds });
}

/** The sign-in that this browser has begun. The browser forgets it with the response. */
export function takeSignIn(
  deps: ConsoleCookieDeps,
  { request, reply }: HttpExchange,
): RememberedSignIn | undefined {
  const begun = readSealed<RememberedSignIn>(deps, request, 'signIn');
  if (begun !== undefined) removeSealed(deps, reply, 'signIn');
  return begun;
}
