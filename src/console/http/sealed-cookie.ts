import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { hostCookie } from '#src/http/base/cookies.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';

export interface ConsoleCookieDeps {
  readonly consoleSealer: Sealer;
  readonly clock: Clock;
  readonly config: Pick<Config, 'baseUrl'>;
}

/** The cookies of the console, without the prefix `__Host-`. */
const names = {
  session: 'muster-console',
  signIn: 'muster-console-sign-in',
  draft: 'muster-console-draft',
};

type Kind = keyof typeof names;

/** What this service sealed for this browser. The sealed value has its kind in it, so that one cookie cannot stand for another. */
export function readSealed<T>(
  { consoleSealer, config }: ConsoleCookieDeps,
  request: FastifyRequest,
  kind: Kind,
): T | undefined {
  const text = hostCookie(config, names[kind]).read(request) ?? '';
  const plain = /^[\w-]{1,3800}$/.test(text)
    ? consoleSealer.unseal(Buffer.from(text, 'base64url'))
    : undefined;
  if (plain === undefined) return undefined;
  const sealed = JSON.parse(plain.toString()) as { kind: Kind; value: T };
  return sealed.kind === kind ? sealed.value : undefined;
}

/** @param maxAge for how long the browser keeps the cookie, in seconds */
export function writeSealed(
  { consoleSealer, config }: ConsoleCookieDeps,
  reply: FastifyReply,
  { kind, value, maxAge }: { kind: Kind; value: object; maxAge: number },
): void {
  const text = consoleSealer.seal(Buffer.from(JSON.stringify({ kind, value }))).toString('base64url');
  hostCookie(config, names[kind]).write(reply, text, maxAge);
}

/** Removes the cookie of this kind from the browser. */
export function removeSealed({ config }: ConsoleCookieDeps, reply: FastifyReply, kind: Kind): void {
  hostCookie(config, names[kind]).write(reply, '', 0);
}
