import type { MailTexts } from './shape.js';

/** German. */
export const de: MailTexts = {
  hello: 'Guten Tag,',
  orOpen: 'Oder öffnen Sie diese Adresse:',
  sentBy: (host) => `Gesendet von ${host}`,
  reset: {
    subject: 'Passwort zurücksetzen',
    text: (organization) =>
      `Jemand hat einen Link angefordert, um für Ihr Konto bei ${organization} ein neues Passwort zu setzen.`,
    button: 'Neues Passwort setzen',
    valid: 'Der Link gilt einmal, innerhalb von 24 Stunden.',
    ignore:
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
  },
  confirm: {
    subject: 'E-Mail-Adresse bestätigen',
    text: (host) =>
      `Geben Sie diesen Code auf Ihrer Kontoseite bei ${host} ein, um diese E-Mail-Adresse zu bestätigen:`,
    valid: 'Der Code gilt 15 Minuten.',
    ignore:
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie den Code niemandem weiter.',
  },
  changed: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    text: (organization) =>
      `Ihr Konto bei ${organization} hat jetzt eine andere E-Mail-Adresse. An diese Adresse bekommen Sie dazu keine E-Mails mehr.`,
    warning: 'Wenn Sie das nicht waren, melden Sie es sofort Ihrer Administration.',
  },
};
