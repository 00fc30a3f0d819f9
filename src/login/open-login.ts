import type { MailLink } from '#src/authentication/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { Clock } from '#src/platform/clock.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { createLinkMailer } from './mail/link-mailer.js';
import { createMailer } from './mail/mailer.js';
import { createLoginStepsStore, type LoginStepsStore } from './stores/login-steps.store.js';
import { createShownCodesStore, type ShownCodesStore } from './stores/shown-codes.store.js';

type OpenLoginDeps = Omit<Parameters<typeof createLinkMailer>[0], 'mailer'> & {
  readonly config: Parameters<typeof createMailer>[0];
  readonly redis: RedisConnection;
  readonly prefix: string;
  readonly clock: Clock;
  readonly sealer: (purpose: string) => Sealer;
};

/** What the room offers. */
export interface OpenedLogin {
  readonly loginSteps: LoginStepsStore;
  readonly shownCodes: ShownCodesStore;
  /** Seals what a page says about its form that was refused. */
  readonly refusedFormSealer: Sealer;
  /** Undefined without a mail server. */
  readonly mailer: ReturnType<typeof createMailer>;
  readonly mailLink: MailLink | undefined;
}

/** Opens the mailer, and what the login pages keep between two forms. */
export function openLogin(deps: OpenLoginDeps): OpenedLogin {
  const { config, redis, prefix, clock, sealer } = deps;
  const storeDeps = { redis, prefix, clock };
  const mailer = createMailer(config);
  return {
    loginSteps: createLoginStepsStore(storeDeps),
    shownCodes: createShownCodesStore({ ...storeDeps, sealer: sealer('shown-codes') }),
    refusedFormSealer: sealer('refused-form'),
    mailer,
    mailLink: mailer && createLinkMailer({ ...deps, mailer }),
  };
}
