import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import type { Sealer } from '#src/keys/sealer.js';
import { type Clock, unixSeconds } from '#src/platform/clock.js';
import { hostCookie } from '../base/cookies.js';

interface ConfirmationDeps {
  readonly confirmationSealer: Sealer;
  readonly clock: Clock;
  readonly config: Pick<Config, 'baseUrl'>;
}

/** What a person is about to do, which the sign-in says while it asks who the person is. */
export interface Confirmation {
  /** The `state` of the authorization request that asks (RFC 6749 section 10.12). */
  readonly state: string;
  /** The only person whom the request allows. */
  readonly userId: string;
  /** A sentence in the person's language. It may name objects, whose names others chose. */
  readonly act: string;
}

/** For how long the sign-in may say it, in seconds. */
const confirmationSeconds = 900;

/** The longest sentence, in characters. A longer one is cut. */
const longestAct = 400;

/**
 * Lets the browser keep what its person is about to do. It is a sealed cookie for one authorization request: no link and no other browser
 * can put words into a sign-in, and nothing is stored here.
 */
export function rememberConfirmation(
  deps: ConfirmationDeps,
  reply: FastifyReply,
  { act, ...of }: Confirmation,
): void {
  const confirmation = {
    ...of,
    act: [...act].slice(0, longestAct).join(''),
    until: unixSeconds(deps.clock.now()) + confirmationSeconds,
  };
  const sealed = deps.confirmationSealer
    .seal(Buffer.from(JSON.stringify(confirmation)))
    .toString('base64url');
  cookie(deps).write(reply, sealed, confirmationSeconds);
}

/** What the person is about to do. Undefined for another request, for another person, and after 15 minutes. */
export function readConfirmation(
  deps: ConfirmationDeps,
  request: FastifyRequest,
  { state, userId }: { readonly state: string | undefined; readonly userId: string },
): string | undefined {
  const text = cookie(deps).read(request) ?? '';
  const plain = /^[\w-]{1,3800}$/.test(text)
    ? deps.confirmationSealer.unseal(Buffer.from(text, 'base64url'))
    : undefined;
  if (plain === undefined) return undefined;
  const confirmation = JSON.parse(plain.toString()) as Confirmation & { readonly until: number };
  const isMeant = confirmation.state === state && confirmation.userId === userId;
  return isMeant && confirmation.until > unixSeconds(deps.clock.now()) ? confirmation.act : undefined;
}

/** Removes what the person was about to do from the browser. */
export function forgetConfirmation(deps: Pick<ConfirmationDeps, 'config'>, reply: FastifyReply): void {
  cookie(deps).write(reply, '', 0);
}

function cookie({ config }: Pick<ConfirmationDeps, 'config'>) {
  return hostCookie(config, 'muster-confirmation');
}
