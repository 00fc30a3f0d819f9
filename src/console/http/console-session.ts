import type { FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { Config } from '#src/config.js';
import type { Sealer } from '#src/keys/sealer.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { newSecret } from '#src/platform/ids.js';

/** A person who is signed in to the console. It lives in a sealed cookie, so every process can serve it. */
export interface ConsoleSession {
  readonly accessToken: string;
  /** Ends the session at the sign-out without a question (RP-Initiated Logout section 2). */
  readonly idToken: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
  /** The secret of the form tokens of this session. */
  readonly secret: string;
}

export interface ConsoleSessionDeps {
  readonly consoleSealer: Sealer;
  readonly clock: Clock;
  readonly config: Pick<Config, 'baseUrl'>;
}

/** Two names, because `__Host-` is for https alone. */
const names = { session: 'muster-console', signIn: 'muster-console-sign-in' };

/** The person who is signed in. Undefined if nobody is, or if the access token has expired. */
export function readConsoleSession(
  deps: ConsoleSessionDeps,
  request: FastifyRequest,
): ConsoleSession | undefined {
  const session = read<ConsoleSession>(deps, request, 'session');
  return session !== undefined && session.expiresAt > unixSeconds(deps.clock.now()) ? session : undefined;
}

/** The user of a session. Only this service can have sealed the cookie, so the signature of the ID token is not checked again. */
export function userIdOf({ idToken }: ConsoleSession): string | undefined {
  return decodeJwt(idToken).sub;
}

/** Signs the person in at this browser, until the access token expires. */
export function beginConsoleSession(
  deps: ConsoleSessionDeps,
  reply: FastifyReply,
  { expiresIn, ...tokens }: Pick<ConsoleSession, 'accessToken' | 'idToken'> & { expiresIn: number },
): void {
  const expiresAt = unixSeconds(deps.clock.now()) + expiresIn;
  const session: ConsoleSession = { ...tokens, expiresAt, secret: newSecret() };
  write(deps, reply, { kind: 'session', value: session, maxAge: expiresIn });
}

export function endConsoleSession(deps: ConsoleSessionDeps, reply: FastifyReply): void {
  write(deps, reply, { kind: 'session', value: undefined, maxAge: 0 });
}

/** A sign-in that this browser has begun (RFC 6749 section 10.12, RFC 7636). */
export interface RememberedSignIn {
  readonly state: string;
  readonly codeVerifier: string;
  /** The path of the console to which it leads back. */
  readonly to: string;
}

/** How long a person may take to sign in, in seconds. */
const signInSeconds = 3_600;

export function rememberSignIn(deps: ConsoleSessionDeps, reply: FastifyReply, begun: RememberedSignIn): void {
  write(deps, reply, { kind: 'signIn', value: begun, maxAge: signInSeconds });
}

/** The sign-in that this browser has begun. The browser forgets it with the response. */
export function takeSignIn(
  deps: ConsoleSessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): RememberedSignIn | undefined {
  const begun = read<RememberedSignIn>(deps, request, 'signIn');
  if (begun !== undefined) write(deps, reply, { kind: 'signIn', value: undefined, maxAge: 0 });
  return begun;
}

type Kind = keyof typeof names;

/** The sealed value has its kind in it, so that one cookie cannot stand for the other. */
function read<T>(
  { consoleSealer, config }: ConsoleSessionDeps,
  request: FastifyRequest,
  kind: Kind,
): T | undefined {
  const pattern = new RegExp(`(?:^|;)\\s*${cookieName(config, kind)}=([\\w-]{1,3800})\\s*(?:;|$)`);
  const text = pattern.exec(request.headers.cookie ?? '')?.[1];
  const plain = text === undefined ? undefined : consoleSealer.unseal(Buffer.from(text, 'base64url'));
  if (plain === undefined) return undefined;
  const sealed = JSON.parse(plain.toString()) as { kind: Kind; value: T };
  return sealed.kind === kind ? sealed.value : undefined;
}

function write(
  { consoleSealer, config }: ConsoleSessionDeps,
  reply: FastifyReply,
  { kind, value, maxAge }: { kind: Kind; value: object | undefined; maxAge: number },
): void {
  const text =
    value === undefined
      ? ''
      : consoleSealer.seal(Buffer.from(JSON.stringify({ kind, value }))).toString('base64url');
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${maxAge}`];
  if (isHttps(config)) attributes.push('Secure');
  const others = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  reply.removeHeader('set-cookie');
  reply.header('set-cookie', [...others, [`${cookieName(config, kind)}=${text}`, ...attributes].join('; ')]);
}

function cookieName(config: Pick<Config, 'baseUrl'>, kind: Kind): string {
  return isHttps(config) ? `__Host-${names[kind]}` : names[kind];
}

function isHttps({ baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  return baseUrl.startsWith('https:');
}
