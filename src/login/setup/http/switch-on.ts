import type { FastifyReply } from 'fastify';
import { changeConnection } from '#src/connections/registry/index.js';
import { isLeftToLink, noteSetupStep } from '#src/connections/setup/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import { setupEditor, writingConnections } from './join-provisioning.js';
import { maySwitchOn, readSetupForm } from './setup-session.js';

type Deps = Parameters<typeof readSetupForm>[0] &
  Parameters<typeof noteSetupStep>[0] &
  Parameters<typeof writingConnections>[0] &
  Omit<Parameters<typeof changeConnection>[0], 'endSignIns' | 'requireUsable'>;

/**
 * Lets people use the connection of the link, once. If the owner asks for a test, it must have worked before. A connection that an owner changes or
 * switches off at the same time stays as the owner wants it.
 * @throws AppError `login.setupEnded`
 */
export async function switchOn(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const { link } = await readSetupForm(deps, request, 'switchOn');
  const { orgId, connectionId } = link;
  if (connectionId === undefined || !maySwitchOn(link)) throw new AppError(loginErrors.setupEnded);
  const connection = await deps.connections.find(orgId, connectionId);
  if (!isLeftToLink(connection)) throw new AppError(loginErrors.setupEnded);
  const { protocol, version: ifVersion } = connection;
  const target = { orgId, id: connectionId, editor: setupEditor(link), ifVersion };
  const changed = await changeConnection(writingConnections(deps), target, { protocol, enabled: true });
  if (!changed.enabled) throw new AppError(loginErrors.setupEnded);
  await noteSetupStep(deps, link, { step: 'switchOn' });
  return goTo(reply, pageAddress(deps, '/setup'));
}
