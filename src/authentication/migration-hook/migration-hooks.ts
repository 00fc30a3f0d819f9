import type { EventsStore } from '#src/audit/events.store.js';
import type { MigrationHook, Organization } from '#src/directory/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import { organizationEvent } from '#src/organizations/index.js';
import type { Clock } from '#src/platform/clock.js';
import type { Logger } from '#src/platform/logger.js';
import type { FetchJson } from '#src/platform/outgoing/fetch-json.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { createCircuitBreakers } from './circuit-breakers.js';
import { type HookAnswer, hasLoginName, readHookAnswer, WrongAnswer } from './hook-answer.js';
import { type HookQuestion, hookMessage } from './hook-question.js';

/** An organization that has a hook. */
export type HookedOrganization = Organization & { readonly migrationHook: MigrationHook };

/** A question that got no usable answer. `reason` is for the owner of the organization. */
interface FailedQuestion {
  readonly kind: 'failed';
  readonly reason: string;
}

/** Asks the former services of organizations. */
export interface MigrationHooks {
  /**
   * Asks a hook once, within its time. It never throws.
   * @param options `isTest`: asks although earlier questions failed, and reports nothing
   */
  ask(
    organization: HookedOrganization,
    question: HookQuestion,
    options?: { isTest: boolean },
  ): Promise<HookAnswer | FailedQuestion>;
  /** Tells the owner of the organization, by an event, and the log why people cannot be taken over. */
  report(organization: Organization, reason: string): Promise<void>;
}

/** The longest answer, in bytes. */
const maxBytes = 65_536;
/** Questions of one organization that a process asks at once. Each holds a connection. */
const atOnce = 16;
/** Questions of all organizations together that a process asks at once. */
const atOnceTogether = 128;
const circuitLimits = { failures: 5, pauseMs: 30_000 };
/** The time between two events about failures of one organization, in milliseconds. */
const quietMs = 60_000;

export function createMigrationHooks(deps: {
  readonly fetchJson: FetchJson;
  readonly hookSealer: Sealer;
  readonly events: EventsStore;
  readonly clock: Clock;
  readonly logger: Logger;
}): MigrationHooks {
  const { fetchJson, hookSealer, events, clock, logger } = deps;
  const circuits = createCircuitBreakers(clock, circuitLimits);
  const reports = createCircuitBreakers(clock, { failures: 1, pauseMs: quietMs });
  const limits = {
    waiting: 0,
    longestWaitMs: 0,
    refuse: () => new WrongAnswer('Too many questions at once'),
  };
  const shares = createKeyedSemaphore({ ...limits, atOnce });
  const together = createKeyedSemaphore({ ...limits, atOnce: atOnceTogether });

  async function read(hook: MigrationHook, question: HookQuestion): Promise<unknown> {
    const secret = hookSealer.unseal(Buffer.from(hook.sealedSecret, 'base64url'))?.toString();
    if (secret === undefined) throw new WrongAnswer('The secret of the hook cannot be read; set it again');
    const message = hookMessage(question, { secret, now: clock.now() });
    return fetchJson(hook.url, { maxBytes, timeoutMs: hook.timeoutMs }, message);
  }

  return {
    async ask(organization, question, { isTest } = { isTest: false }) {
      const { id, migrationHook } = organization;
      if (!isTest && !circuits.admit(id)) return failure('Earlier questions failed. There is a pause');
      try {
        return await shares.run(id, () =>
          together.run('', async () => {
            try {
              const answer = readHookAnswer(await read(migrationHook, question));
              if (answer.kind === 'confirmed') requireSamePerson(answer.profile, organization, question);
              circuits.succeeded(id);
              return answer;
            } catch (error) {
              circuits.failed(id);
              throw error;
            }
          }),
        );
      } catch (error) {
        if (error instanceof OutgoingError || error instanceof WrongAnswer) return failure(error.message);
        logger.error({ err: error, orgId: id }, 'a migration hook could not be asked');
        return failure('The hook could not be asked');
      }
    },
    async report(organization, reason) {
      logger.warn({ orgId: organization.id, reason }, 'a migration hook took nobody over');
      if (!reports.admit(organization.id)) return;
      reports.failed(organization.id);
      const at = { ...organization, lastModified: clock.now() };
      const editor = { userId: organization.id, service: 'login' };
      try {
        await events.record(
          organizationEvent('org.migrationHook.failed', at, { editor, payload: { reason } }),
        );
      } catch (error) {
        logger.warn(
          { err: error, orgId: organization.id },
          'the failure of a migration hook was not recorded',
        );
      }
    },
  };
}

/** @throws WrongAnswer if the answer is about another person than the question */
function requireSamePerson(
  profile: Parameters<typeof hasLoginName>[0],
  organization: Organization,
  { loginName, userName }: HookQuestion,
): void {
  const isSame =
    userName === undefined ? hasLoginName(profile, organization, loginName) : profile.userName === userName;
  if (isSame) return;
  throw new WrongAnswer(
    userName === undefined
      ? 'Neither userName nor a verified email of the answer is the login name that was typed'
      : 'userName of the answer is not the userName of the question',
  );
}

function failure(reason: string): FailedQuestion {
  return { kind: 'failed', reason };
}
