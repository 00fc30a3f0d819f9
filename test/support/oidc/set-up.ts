import type { FastifyInstance } from 'fastify';
import type { Rooms } from '#src/rooms.js';
import type { Call } from '../app/test-app.js';
import { newVisitor } from './connected.js';
import type { Visitor } from './visitor.js';

interface Service {
  readonly app: FastifyInstance;
  readonly call: Call;
  readonly container: Rooms;
}

/** Makes a set-up link of an organization by the admin API. @returns its identifier, and the path of its address */
export async function makeSetupLink(
  { call }: Pick<Service, 'call'>,
  { orgId, owner }: { orgId: string; owner: { token: string } },
  steps: readonly string[],
): Promise<{ readonly id: string; readonly path: string }> {
  const answer = await call(`POST /admin/v1/orgs/${orgId}/setup-links`, { as: owner, body: { steps } });
  if (answer.status !== 201) throw new Error(`No link: ${JSON.stringify(answer.body)}`);
  const { pathname, search } = new URL(String(answer.body.address));
  return { id: String(answer.body.id), path: `${pathname}${search}` };
}

/** Opens a set-up link in a new browser. */
export async function openSetup(service: Service, path: string): Promise<Visitor> {
  const visitor = newVisitor(service);
  const seen = await visitor.fill(await visitor.get(path), {}, '/setup/open');
  if (seen.location !== '/setup') throw new Error(`Not opened: ${seen.status} ${seen.text}`);
  return visitor;
}
