import type { ErrorTexts } from './shape.js';

/** German. */
export const de: ErrorTexts = {
  kinds: {
    signIn: {
      title: 'Diese Anmeldeanfrage ist ungültig.',
      text: 'Gehen Sie zurück zur Anwendung und beginnen Sie neu. Wenn es wieder passiert, wenden Sie sich an den Support.',
    },
    signOut: {
      title: 'Diese Abmeldeanfrage ist ungültig.',
      text: 'Auf Ihrer Kontoseite können Sie sich abmelden.',
    },
    request: {
      title: 'Diese Anfrage ist ungültig.',
      text: 'Gehen Sie zurück und beginnen Sie neu. Wenn es wieder passiert, wenden Sie sich an den Support.',
    },
    notFound: { title: 'Hier ist nichts', text: 'Unter dieser Adresse gibt es keine Seite.' },
    tooMany: {
      title: 'Zu viele Versuche',
      text: 'Warten Sie einen Moment und versuchen Sie es dann noch einmal.',
    },
    unavailable: {
      title: 'Nicht verfügbar',
      text: 'Wir können gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
    },
    fault: {
      title: 'Etwas ist schiefgegangen.',
      text: 'Wenn es wieder passiert, wenden Sie sich an den Support.',
    },
  },
  developer: 'Für die Entwickler der Anwendung',
  guide: 'Die Anleitung: wenn eine Anmeldung scheitert',
  problem: 'Problem',
  account: 'Zu Ihrem Konto',
  again: 'Noch einmal versuchen',
};
