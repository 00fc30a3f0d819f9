import type { FastifyReply } from 'fastify';
import { noteSetupStep, type SetupLink } from '#src/connections/setup/index.js';
import type { SignInTest } from '#src/connections/sign-in/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { setupEditor } from './join-provisioning.js';
import { readSetupForm } from './setup-session.js';

type Deps = Parameters<typeof readSetupForm>[0] & Pick<LoginNeeds, 'signInTests'>;

/** Begins a test of the sign-in by the connection of the link. The page leads to the provider, and shows what comes back. */
export async function beginSetupTest(deps: Deps, { request, reply }: HttpExchange): Promise<FastifyReply> {
  const { link } = await readSetupForm(deps, request, 'test');
  const { orgId, connectionId } = link;
  if (connectionId === undefined) throw new AppError(loginErrors.setupEnded);
  const created = deps.clock.now();
  const editor = setupEditor(link);
  const test = await deps.signInTests.begin(
    { orgId, connectionId, created, editor },
    (id) => `/setup?test=${id}`,
  );
  return goTo(reply, pageAddress(deps, '/setup', { test }));
}

/**
 * The test of the link with this identifier. A test that worked marks its step as done, unless the connection has changed since it began. Nothing of a
 * test of another connection is shown.
 */
export async function readTest(
  deps: Parameters<typeof noteSetupStep>[0] & Pick<LoginNeeds, 'signInTests'>,
  link: SetupLink,
  id: string,
): Promise<SignInTest | undefined> {
  const test = await deps.signInTests.find(id);
  const isOwn = test?.orgId === link.orgId && test.connectionId === link.connectionId;
  if (!isOwn || test.editor.userId !== link.id) return undefined;
  const { result, created } = test;
  const { test: tried, connection: connected } = link.done;
  const isNew = (tried === undefined || tried < created) && (connected === undefined || connected <= created);
  if (result !== undefined && result.outcome !== 'refused' && isNew)
    await noteSetupStep(deps, link, { step: 'test' });
  return test;
}
