import type { FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { permittedOnInstance } from '#src/directory/memberships/roles.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';

type Deps = Pick<Container, 'config' | 'sessions' | 'accounts' | 'caches'>;

/** Who asks, as the browser's sessions tell. */
export type Operator =
  | { readonly kind: 'operator'; readonly userName: string }
  /** Signed in, without the right to see what the whole instance does. */
  | { readonly kind: 'stranger' }
  | { readonly kind: 'nobody' };

/** Any person who is signed in at this browser and owns the instance. */
export async function readOperator(deps: Deps, request: FastifyRequest): Promise<Operator> {
  const agent = readAgent(deps, request);
  const sessions = agent === undefined ? [] : await deps.sessions.ofAgent(agent.hash);
  let isSomebody = false;
  for (const { orgId, userId } of sessions) {
    const account = await deps.accounts.find(orgId, userId);
    if (!account?.user.active) continue;
    isSomebody = true;
    const memberships = await deps.caches.memberships.get(userId);
    if (permittedOnInstance(memberships, 'instance.manage')) {
      return { kind: 'operator', userName: account.user.userName };
    }
  }
  return { kind: isSomebody ? 'stranger' : 'nobody' };
}
