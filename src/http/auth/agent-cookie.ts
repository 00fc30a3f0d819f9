import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { hashSecret } from '#src/keys/secret-hash.js';
import { newSecret } from '#src/platform/ids.js';
import { type HostCookie, hostCookie } from '../base/cookies.js';
import { requestNote } from '../base/request-note.js';

/** Identifies a user agent (a browser) by a random secret in a cookie. Stores get only its hash. */
export interface Agent {
  /** The name of the agent in the stores. */
  readonly hash: string;
  /** Proves that a form was made for this agent (see csrf.ts). It is never stored and never shown. */
  readonly secret: string;
}

interface Deps {
  readonly config: Pick<Config, 'baseUrl' | 'sessionAbsoluteSeconds'>;
}

/** Agents that get a new cookie with the response to the request. */
const renewed = requestNote<Agent>('renewed');

/**
 * The agent that sent the request. Undefined when it has no cookie of ours, or one that we cannot have made.
 */
export function readAgent({ config }: Deps, request: FastifyRequest): Agent | undefined {
  const known = renewed.get(request);
  if (known !== undefined) return known;
  const secret = cookieOf({ config }).read(request);
  return secret !== undefined && /^[\w-]{43}$/.test(secret)
    ? { secret, hash: hashSecret(secret) }
    : undefined;
}

/** The agent that sent the request. An agent without a cookie gets one with the response. */
export function ensureAgent(deps: Deps, request: FastifyRequest, reply: FastifyReply): Agent {
  return readAgent(deps, request) ?? giveSecret(deps, request, reply);
}

/**
 * Gives the agent a new secret. The caller moves its sessions to it. A secret that an attacker planted in the
 * browser before then leads nowhere (session fixation).
 * @returns the agent, and the hash of its former secret
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
  cookieOf({ config }).write(reply, secret, config.sessionAbsoluteSeconds);
  const agent = { secret, hash: hashSecret(secret) };
  renewed.set(request, agent);
  return agent;
}

function cookieOf({ config }: Deps): HostCookie {
  return hostCookie(config, 'muster-agent');
}
