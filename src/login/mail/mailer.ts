import type { Transporter } from 'nodemailer';
import type { Config } from '#src/config.js';
import type { RedisConnection } from '#src/platform/redis/redis.js';
import { keepMail, keepsMail } from './kept-mail.js';
import { createKeptMailsStore } from './kept-mails.store.js';
import type { Mailer } from './mail.js';

/** The most mails that one process sends at the same time. It refuses more. */
const maxSending = 100;
const timeoutMs = 10_000;

/** Whether the service sends mail, or keeps it in a trial. */
export function sendsMail(config: Pick<Config, 'smtpUrl' | 'tryOut' | 'baseUrl'>): boolean {
  return config.smtpUrl !== '' || keepsMail(config);
}

/** The mailer of the configuration, or undefined without a mail server. */
export function createMailer(
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'tryOut' | 'baseUrl' | 'redisPrefix'>,
  redis: RedisConnection,
): Mailer | undefined {
  const { smtpUrl, mailFrom, redisPrefix: prefix } = config;
  if (smtpUrl === '')
    return keepsMail(config) ? keepMail(createKeptMailsStore({ redis, prefix })) : undefined;
  // Loaded with the first mail, because most processes send none for a long time.
  let opened: Promise<Transporter> | undefined;
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(
      { url: smtpUrl, pool: true, connectionTimeout: timeoutMs, socketTimeout: timeoutMs },
      { from: mailFrom, textEncoding: 'quoted-printable' },
    );
  }
  let sending = 0;
  return {
    async send({ to, ...content }) {
      if (sending >= maxSending) throw new Error('Too much mail is on its way');
      sending++;
      try {
        // The library does not parse an address object, so the address cannot contain a list of receivers.
        opened ??= open();
        const transport = await opened;
        await transport.sendMail({ to: { name: '', address: to }, ...content });
      } finally {
        sending--;
      }
    },
    close() {
      opened?.then((transport) => transport.close()).catch(() => undefined);
    },
  };
}
