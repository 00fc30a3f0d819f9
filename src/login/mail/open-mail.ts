import type { MailLink } from '#src/authentication/index.js';
import { createLinkMailer } from './link-mailer.js';
import { createMailer } from './mailer.js';

/** What sends mail. */
export interface OpenedMail {
  /** Undefined without a mail server. */
  readonly mailer: ReturnType<typeof createMailer>;
  readonly mailLink: MailLink | undefined;
}

/** Opens the mailer, in an API process and in a worker. */
export function openMail(
  deps: Omit<Parameters<typeof createLinkMailer>[0], 'mailer'> & {
    readonly config: Parameters<typeof createMailer>[0];
    readonly redis: Parameters<typeof createMailer>[1];
  },
): OpenedMail {
  const mailer = createMailer(deps.config, deps.redis);
  return { mailer, mailLink: mailer && createLinkMailer({ ...deps, mailer }) };
}
