import type { EventsStore } from '#src/audit/events.store.js';
import { newEvent } from '#src/audit/new-event.js';
import type { Organization } from '#src/directory/index.js';
import type { Cache } from '#src/platform/redis/cache.js';
import { type PreviewDeps, type PreviewedSignIn, previewSignIn } from '../identities/index.js';
import type { Connection } from '../registry/connection.js';
import { endNoteOf } from '../registry/credential-ends.js';
import type { FinishedSignIn } from './finish-at-provider.js';
import type { SignInRefusal } from './record-refusal.js';
import type { SignInTest, SignInTestsStore } from './sign-in-tests.store.js';

export interface TestDeps extends PreviewDeps {
  readonly signInTests: Pick<SignInTestsStore, 'find' | 'finish'>;
  readonly events: PreviewDeps['events'] & Pick<EventsStore, 'record'>;
  readonly caches: PreviewDeps['caches'] & {
    readonly organizations: Pick<Cache<Organization | undefined>, 'get'>;
  };
}

/**
 * Keeps what a test of the sign-in came to, with its event. Nobody is signed in, linked or added.
 * @returns the path to which the browser goes. Undefined if nobody waits for the result any more
 */
export async function endSignInTest(
  deps: TestDeps,
  {
    testId,
    connection,
    ended,
  }: {
    testId: string;
    connection: Connection | undefined;
    ended: Extract<FinishedSignIn, { kind: 'proved' }> | SignInRefusal;
  },
): Promise<string | undefined> {
  const test = await deps.signInTests.find(testId);
  if (test === undefined) return undefined;
  const isOfTest = connection?.orgId === test.orgId && connection.id === test.connectionId;
  if (connection !== undefined && !isOfTest) return undefined;
  const said = 'kind' in ended ? await preview(deps, ended) : refused(ended);
  const result = connection === undefined ? said : withEnd(said, connection, deps.clock.now());
  await deps.signInTests.finish(testId, { ...test, result });
  if (connection !== undefined) await deps.events.record(eventOf(deps, { test, connection, result }));
  return test.returnTo;
}

async function preview(
  deps: TestDeps,
  { connection, proved }: Extract<FinishedSignIn, { kind: 'proved' }>,
): Promise<PreviewedSignIn> {
  const organization = await deps.caches.organizations.get(connection.orgId);
  if (organization === undefined) return refused({ reason: 'connectionOff', detail: '' });
  return previewSignIn(deps, { connection, organization, proved });
}

function refused({ reason, detail }: SignInRefusal): PreviewedSignIn {
  return { outcome: 'refused', reason, ...(detail !== '' && { detail }), claims: [], notes: [] };
}

/** A credential that has ended, or ends soon, is often why a sign-in fails, or will fail. */
function withEnd(result: PreviewedSignIn, connection: Connection, now: Date): PreviewedSignIn {
  const told = endNoteOf(connection, now);
  if (told === undefined) return result;
  return { ...result, notes: [...result.notes, told.note], credentialEnds: told.ends.toISOString() };
}

/** It has no claim: those are texts of a stranger. */
function eventOf(
  { clock }: Pick<TestDeps, 'clock'>,
  { test, connection, result }: { test: SignInTest; connection: Connection; result: PreviewedSignIn },
) {
  const { id, orgId, name, version: sequence } = connection;
  const { outcome, reason } = result;
  return newEvent('connection.signIn.tested', {
    ...{ aggregate: 'connection', id, orgId, editor: test.editor, sequence, date: clock.now() },
    payload: { name, outcome, ...(reason !== undefined && { reason }) },
  });
}
