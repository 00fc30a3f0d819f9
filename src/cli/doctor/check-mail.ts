import { createTransport } from 'nodemailer';
import type { Config } from '#src/config.js';
import { type Finding, messageOf } from './finding.js';

const check = 'mail';
const limitMs = 5_000;

const remedies: Record<string, string> = {
  EAUTH: 'Check the user and the password in MUSTER_SMTP_URL. An @ or : in them is written as %40 or %3A.',
  ETLS: 'Use smtps:// if the port expects TLS from the beginning (465), and smtp:// otherwise (587).',
  ESOCKET: 'Use smtps:// if the port expects TLS from the beginning (465), and smtp:// otherwise (587).',
  EDNS: 'Check the name of the host in MUSTER_SMTP_URL.',
};

/** Signs in at the mail server, and sends nothing. */
export async function checkMail({ smtpUrl }: Pick<Config, 'smtpUrl'>): Promise<Finding[]> {
  if (smtpUrl === '') {
    const text =
      'MUSTER_SMTP_URL is not set. People who forgot their password need a link from an administrator';
    return [{ check, state: 'skipped', text }];
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
  });
  try {
    await transport.verify();
    return [{ check, state: 'ok', text: 'The mail server takes mail' }];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return [
      {
        check,
        state: 'failed',
        text: `The mail server cannot be used: ${messageOf(error)}`,
        remedy:
          remedies[code] ??
          'Check the host and the port in MUSTER_SMTP_URL, and that a firewall lets you through.',
      },
    ];
  } finally {
    transport.close();
  }
}
