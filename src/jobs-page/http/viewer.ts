import type { FastifyRequest } from 'fastify';
import type { Container } from '#src/container.js';
import { permittedOnInstance } from '#src/directory/memberships/roles.js';
import { readAgent } from '#src/http/auth/agent-cookie.js';

type Deps = Pick<Container, 'config' | 'sessions' | 'accounts' | 'caches'>;

/** `owner`: owns the instance. `stranger`: is signed in, but does not own it. `nobody`: is not signed in. */
export type Viewer = 'owner' | 'stranger' | 'nobody';

/** Finds out from the sessions of the browser who views the page. One session of an owner suffices. */
export async function readViewer(deps: Deps, request: FastifyRequest): Promise<Viewer> {
  const agent = readAgent(deps, request);
  const sessions = agent === undefined ? [] : await deps.sessions.ofAgent(agent.hash);
  let viewer: Viewer = 'nobody';
  for (const { orgId, userId } of sessions) {
    const account = await deps.accounts.find(orgId, userId);
    if (!account?.user.active) continue;
    const memberships = await deps.caches.memberships.get(userId);
    if (permittedOnInstance(memberships, 'instance.manage')) return 'owner';
    viewer = 'stranger';
  }
  return viewer;
}
