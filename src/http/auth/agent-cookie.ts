import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';

/** What identifies a user agent (a browser): a random secret in a cookie. Only its hash leaves this file's callers. */
export interface Agent {
  /** What stores know the agent by. */
  readonly hash: string;
  /** Proves that a form was made for this agent; see csrf.ts. Never stored, never shown. */
  readonly secret: string;
}

type Deps = Pick<Container, 'config'>;

/** Agents whose cookie goes out with the answer to a request that is being handled. */
const renewed = new WeakMap<FastifyRequest, Agent>();

/** The agent that sent the request; undefined when it has no cookie of ours or one that we cannot have made. */
export function readAgent({ config }: Deps, request: FastifyRequest): Agent | undefined {
  const known = renewed.get(request);
  if (known !== undefined) return known;
  const pattern = new RegExp(`(?:^|;)\\s*${cookieName(config.baseUrl)}=([\\w-]{43})\\s*(?:;|$)`);
  const secret = pattern.exec(request.headers.cookie ?? '')?.[1];
  return secret === undefined ? undefined : { secret, hash: hashSecret(secret) };
}

/** The agent that sent the request; one without a cookie gets one with the answer. */
export function ensureAgent(deps: Deps, request: FastifyRequest, reply: FastifyReply): Agent {
  return readAgent(deps, request) ?? giveSecret(deps, request, reply);
}

/**
 * Gives the agent a new secret, which its sessions are to move to: one that somebody planted in the browser beforehand
 * then leads nowhere (session fixation).
 * @returns with it the hash of the secret before
 */
export function renewAgent(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
): { agent: Agent; before: string | undefined } {
  const before = readAgent(deps, request)?.hash;
  return { agent: giveSecret(deps, request, reply), before };
}

function giveSecret({ config }: Deps, request: FastifyRequest, reply: FastifyReply): Agent {
  const secret = newSecret();
  const attributes = ['Path=/', 'HttpOnly', 'SameSite=Lax', `Max-Age=${config.sessionAbsoluteSeconds}`];
  if (isHttps(config.baseUrl)) attributes.push('Secure');
  const name = cookieName(config.baseUrl);
  const others = [reply.getHeader('set-cookie') ?? []].flat().map(String);
  reply.removeHeader('set-cookie');
  const cookies = others.filter((cookie) => !cookie.startsWith(`${name}=`));
  reply.header('set-cookie', [...cookies, [`${name}=${secret}`, ...attributes].join('; ')]);
  const agent = { secret, hash: hashSecret(secret) };
  renewed.set(request, agent);
  return agent;
}

/** The prefix makes browsers refuse the cookie from anyone but this very host over https. */
function cookieName(baseUrl: string): string {
  return isHttps(baseUrl) ? '__Host-muster-agent' : 'muster-agent';
}

function isHttps(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
