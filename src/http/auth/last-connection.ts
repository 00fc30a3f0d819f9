import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { hostCookie } from '../base/cookies.js';

interface Deps {
  readonly config: Pick<Config, 'baseUrl'>;
}

/** How long a browser remembers, in seconds. */
const rememberedSeconds = 365 * 24 * 3600;

/** The cookie with the identifier of the connection by which somebody signed in last at this browser. It is no secret, and gives no right. */
const cookieOf = ({ config }: Deps) => hostCookie(config, 'muster-connection');

/** The connection by which somebody signed in last at this browser. Undefined if the last sign-in was by none. */
export function readLastConnection(deps: Deps, request: FastifyRequest): string | undefined {
  return cookieOf(deps).read(request);
}

/**
 * Notes at the browser by which connection somebody has signed in. A sign-in by none, such as by a password, ends what the browser knew.
 * @param connectionId undefined for a sign-in by none
 */
export function noteLastConnection(
  deps: Deps,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  connectionId: string | undefined,
): void {
  const cookie = cookieOf(deps);
  if (connectionId !== undefined) cookie.write(reply, connectionId, rememberedSeconds);
  else if (cookie.read(request) !== undefined) cookie.write(reply, '', 0);
}
