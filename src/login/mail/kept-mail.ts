import type { Config } from '#src/config.js';
import { newId } from '#src/platform/ids.js';
import type { KeptMailsStore } from './kept-mails.store.js';
import type { KeptMail, Mailer } from './mail.js';

/**
 * Whether mail is kept for `/dev/mail` instead of sent: only without a mail server, in a trial, at an address of the machine itself.
 * Everybody who reads the mail of others can sign in as them.
 */
export function keepsMail({
  smtpUrl,
  tryOut,
  baseUrl,
}: Pick<Config, 'smtpUrl' | 'tryOut' | 'baseUrl'>): boolean {
  return smtpUrl === '' && tryOut === 1 && isLoopback(new URL(baseUrl).hostname);
}

/** Whether a host is the machine itself. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|::ffff:127(\.\d{1,3}){3})$/.test(host);
}

/** A mailer that keeps the latest mails, those of the workers too. */
export function keepMail(store: KeptMailsStore): Mailer {
  return {
    send: (mail) => store.add({ ...mail, id: newId(), date: new Date() }),
    close: () => undefined,
    unsent: {
      all: () => store.all(),
      find: async (id) => (await store.all()).find((mail: KeptMail) => mail.id === id),
    },
  };
}
