import type { Transporter } from 'nodemailer';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail through the configured server. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
}

/** The most mails that one process sends at the same time. It refuses more. */
const maxSending = 100;
const timeoutMs = 10_000;

/** The mailer of the configuration, or undefined without a mail server. */
export function createMailer({
  smtpUrl,
  mailFrom,
}: {
  smtpUrl: string;
  mailFrom: string;
}): Mailer | undefined {
  if (smtpUrl === '') return undefined;
  // Loaded with the first mail, because most processes send none for a long time.
  let opened: Promise<Transporter> | undefined;
  async function open(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return createTransport(
      { url: smtpUrl, pool: true, connectionTimeout: timeoutMs, socketTimeout: timeoutMs },
      { from: mailFrom },
    );
  }
  let sending = 0;
  return {
    async send({ to, subject, text }) {
      if (sending >= maxSending) throw new Error('Too much mail is on its way');
      sending++;
      try {
        // The library does not parse an address object, so the address cannot contain a list of receivers.
        opened ??= open();
        const transport = await opened;
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } finally {
        sending--;
      }
    },
    close() {
      opened?.then((transport) => transport.close()).catch(() => undefined);
    },
  };
}
