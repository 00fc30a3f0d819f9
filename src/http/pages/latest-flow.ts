import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { hostCookie } from '../base/cookies.js';

type Deps = { readonly config: Pick<Config, 'baseUrl'> };

const maxAgeSeconds = 3_600;

/** Browsers store cookies of 4 KiB. */
const maxLength = 3_500;

/**
 * Makes the browser remember the sign-in that it began last, so that the page behind a link in a mail leads back into it.
 * A sign-in that is too long for a cookie is not remembered.
 */
export function rememberFlow({ config }: Deps, reply: FastifyReply, flow: string): void {
  if (flow.length <= maxLength) hostCookie(config, 'muster-flow').write(reply, flow, maxAgeSeconds);
}

/** The sign-in that the browser began last. It may have ended. */
export function latestFlow({ config }: Deps, request: FastifyRequest): string | undefined {
  const flow = hostCookie(config, 'muster-flow').read(request);
  return flow !== undefined && /^[\w-]+$/.test(flow) ? flow : undefined;
}
