import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { type OpenedMail, openMail } from './mail/open-mail.js';
import { createLoginStepsStore, type LoginStepsStore } from './stores/login-steps.store.js';
import { createShownCodesStore, type ShownCodesStore } from './stores/shown-codes.store.js';

type OpenLoginDeps = Parameters<typeof openMail>[0] & {
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly sealer: (purpose: string) => Sealer;
};

/** What the room offers. */
export interface OpenedLogin extends OpenedMail {
  readonly loginSteps: LoginStepsStore;
  readonly shownCodes: ShownCodesStore;
  /** Seals what a page says about its form that was refused. */
  readonly refusedFormSealer: Sealer;
}

/** Opens the mailer, and what the login pages keep between two forms. */
export function openLogin(deps: OpenLoginDeps): OpenedLogin {
  const { redis, prefix, clock, sealer } = deps;
  const storeDeps = { redis, prefix, clock };
  return {
    loginSteps: createLoginStepsStore({ ...storeDeps, sealer: sealer('newcomers') }),
    shownCodes: createShownCodesStore({ ...storeDeps, sealer: sealer('shown-codes') }),
    refusedFormSealer: sealer('refused-form'),
    ...openMail(deps),
  };
}
