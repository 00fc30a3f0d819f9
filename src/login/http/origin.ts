import type { FastifyRequest } from 'fastify';
import type { CheckOrigin } from '#src/authentication/index.js';
import { addressOf } from '#src/http/limits/caller-address.js';
import { userAgentOf } from '#src/http/user-agent.js';
import type { Visit } from './visit.js';

/** Where an attempt to sign in comes from, for the event that records it. */
export function originOf(request: FastifyRequest, visit?: Pick<Visit, 'waiting'>): CheckOrigin {
  return { address: addressOf(request), userAgent: userAgentOf(request), clientId: visit?.waiting?.clientId };
}
