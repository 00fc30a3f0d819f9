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
  signInCode: (host) =>
    `Geben Sie diesen Code auf der Seite ein, auf der Sie sich bei ${host} anmelden, um diese E-Mail-Adresse zu bestätigen:`,
  factor: {
    subject: 'Ihr Code zum Anmelden',
    text: (host) => `Geben Sie diesen Code auf der Seite ein, auf der Sie sich bei ${host} anmelden:`,
    valid: 'Der Code gilt einmal, 15 Minuten lang und nur in dem Browser, der ihn angefordert hat.',
    ignore:
      'Wenn Sie ihn nicht angefordert haben, kennt vielleicht jemand Ihr Passwort. Ändern Sie es sofort. Geben Sie den Code niemandem weiter.',
  },
  signInLink: {
    subject: 'Ihr Link zum Anmelden',
    text: (host) => `Öffnen Sie diesen Link, um sich bei ${host} anzumelden:`,
    button: 'Anmelden',
    valid: 'Der Link gilt einmal, 15 Minuten lang und nur in dem Browser, der ihn angefordert hat.',
    ignore:
      'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie den Link niemandem weiter.',
  },
  notice: {
    subject: 'Sicherheitshinweis zu Ihrem Konto',
    text: (host) => `Mit Ihrem Konto bei ${host} ist Folgendes geschehen:`,
    kinds: {
      passwordChanged: 'Sie haben Ihr Passwort geändert.',
      addressChanged: 'Sie haben Ihre E-Mail-Adresse geändert. E-Mails zu Ihrem Konto gehen an die neue.',
      secondFactorAdded: 'Sie haben einen zweiten Faktor eingerichtet.',
      secondFactorRemoved: 'Sie haben Ihren zweiten Faktor entfernt.',
      passkeyAdded: 'Sie haben einen Passkey hinzugefügt. Mit ihm kann man sich bei Ihrem Konto anmelden.',
      passkeyRemoved: 'Sie haben einen Passkey entfernt.',
      identityLinked:
        'Sie haben ein Konto eines anderen Dienstes verknüpft, mit dem Sie sich nun anmelden können.',
      identityUnlinked: 'Sie haben ein Konto eines anderen Dienstes aus Ihrer Anmeldung entfernt.',
      recoveryCodesMade: 'Sie haben neue Wiederherstellungscodes bekommen. Die früheren gelten nicht mehr.',
      recoveryCodeUsed: 'Mit einem Wiederherstellungscode wurde eine Anmeldung bestätigt.',
      passwordSet: 'Die Administration hat Ihr Passwort gesetzt oder entfernt.',
      passwordChangeRequired: 'Die Administration verlangt bei Ihrer nächsten Anmeldung ein neues Passwort.',
      linkMade: 'Die Administration hat einen Link erstellt, der Ihr Passwort setzt.',
      addressReplaced:
        'Die Administration hat Ihre E-Mail-Adresse geändert. E-Mails zu Ihrem Konto gehen an die neue.',
      secondFactorGiven: 'Die Administration hat für Sie einen zweiten Faktor eingerichtet.',
      secondFactorTaken: 'Die Administration hat Ihren zweiten Faktor entfernt.',
      passkeyTaken: 'Die Administration hat einen Ihrer Passkeys entfernt.',
      identityTaken: 'Die Administration hat ein Konto eines anderen Dienstes aus Ihrer Anmeldung entfernt.',
      domainFailing:
        'Der DNS-Eintrag, der eine Domain Ihrer Organisation nachweist, fehlt. Fehlt er in einer Woche noch, gilt die Domain nicht mehr.',
      domainLapsed:
        'Eine Domain Ihrer Organisation gilt nicht mehr, weil ihr DNS-Eintrag eine Woche lang fehlte.',
      recoveryCodesReplaced: 'Die Administration hat für Sie neue Wiederherstellungscodes erstellt.',
      accessRecovered:
        'Der Betreiber des Dienstes hat einen Link erstellt, der den Zugang zu Ihrem Konto wiederherstellt.',
      sessionsEnded: 'Die Administration hat Sie abgemeldet.',
      deactivated: 'Die Administration hat Ihr Konto ausgeschaltet.',
      reactivated: 'Die Administration hat Ihr Konto eingeschaltet.',
      connectionEnds:
        'Das Geheimnis oder das Zertifikat einer Verbindung Ihrer Organisation endet in den nächsten 30 Tagen. Erneuern Sie es beim Anbieter und danach in der Konsole unter Verbindungen.',
    },
    newBrowser: (browser, system) =>
      `Jemand hat sich an einem Browser angemeldet, der für Ihr Konto neu ist: ${browser}, ${system}.`,
    unknownBrowser: 'ein unbekannter Browser',
    unknownSystem: 'ein unbekanntes System',
    address: (address) => `Netzwerkadresse: ${address}`,
    times: (count) => `${count}-mal, zuletzt:`,
    more: (count) => `Und ${count} weitere Anmeldungen an neuen Browsern.`,
    button: 'Ihr Konto öffnen',
    warning:
      'Wenn Sie das nicht waren oder nicht erwartet haben, ändern Sie sofort Ihr Passwort und melden Sie es Ihrer Administration.',
  },
};
