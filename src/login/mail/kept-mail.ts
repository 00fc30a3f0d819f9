import type { Config } from '#src/config.js';
import { newId } from '#src/platform/ids.js';
import type { KeptMail, Mailer } from './mail.js';

const mostMails = 50;

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

/** A mailer that keeps the latest mails in the memory of this process. */
export function keepMail(): Mailer {
  const mails: KeptMail[] = [];
  return {
    async send(mail) {
      mails.unshift({ ...mail, id: newId(), date: new Date() });
      mails.length = Math.min(mails.length, mostMails);
    },
    close: () => undefined,
    kept: { all: () => mails, find: (id) => mails.find((mail) => mail.id === id) },
  };
}
