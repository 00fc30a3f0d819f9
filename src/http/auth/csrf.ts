import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Agent } from './agent-cookie.js';

/**
 * A value in a form that proves that one of our pages made it for this very agent. It is an HMAC under the
 * secret in the agent's cookie, which no other site can read.
 * @param purpose what the form does, with the identifier of its object; a token serves one purpose only
 */
export function csrfToken(agent: Agent, purpose: string): string {
  return createHmac('sha256', agent.secret).update(`csrf ${purpose}`).digest('base64url');
}

/** Whether one of our pages made the form for this agent and purpose. */
export function isCsrfToken(token: unknown, agent: Agent | undefined, purpose: string): boolean {
  if (agent === undefined || typeof token !== 'string') return false;
  const expected = csrfToken(agent, purpose);
  return token.length === expected.length && timingSafeEqual(Buffer.from(token), Buffer.from(expected));
}
