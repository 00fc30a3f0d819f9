import Type from 'typebox';
import { count, type Settings } from './setting.js';

/** Mail. */
export const mailSettings = {
  smtpUrl: {
    env: 'MUSTER_SMTP_URL',
    schema: Type.String({ pattern: '^smtps?://' }),
    default: '',
    defaultText: 'none',
    secret: true,
    about:
      'Mail server: smtp:// or smtps://user:password@host:port. With it, users who have no password or ' +
      'forgot it get a link by mail. Without it, an administrator creates the link.',
  },
  mailFrom: {
    env: 'MUSTER_MAIL_FROM',
    schema: Type.String({ minLength: 3 }),
    default: 'Muster <no-reply@localhost>',
    about: 'Sender of mail.',
  },
  noticeMailsPerDay: {
    env: 'MUSTER_NOTICE_MAILS_PER_DAY',
    schema: count(1, 10_000_000),
    default: 5000,
    about:
      'Most mails in a day that tell the people of an organization what happened to their accounts, and most codes that ' +
      'prove their addresses, and most codes for a second factor. People who were added within a day count apart. Later ' +
      'notices wait for up to three days.',
  },
} as const satisfies Settings;
