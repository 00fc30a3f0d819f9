import type { UserActionTexts } from './shape.js';

/** German. */
export const de: UserActionTexts = {
  choose: 'Wählen',
  all: 'Alle Benutzer dieser Liste, auch die auf anderen Seiten',
  allFound: 'Alle, die diese Suche findet, auch die auf anderen Seiten',
  withChosen: 'Mit den gewählten Benutzern:',
  nobody: 'Wählen Sie zuerst Benutzer in der Liste.',
  more: (count) => `und ${count} weitere`,
  title: {
    deactivate: 'Benutzer deaktivieren',
    reactivate: 'Benutzer wieder aktivieren',
    addToGroup: 'Benutzer einer Gruppe hinzufügen',
    sendLinks: 'Links senden',
  },
  button: {
    deactivate: 'Deaktivieren',
    reactivate: 'Wieder aktivieren',
    addToGroup: 'Einer Gruppe hinzufügen',
    sendLinks: 'Links senden',
  },
  ask: {
    deactivate: (count) =>
      `Benutzer: ${count}. Deaktivieren? Sie können sich nicht mehr anmelden, und ihre Sitzungen und Tokens enden.`,
    reactivate: (count) => `Benutzer: ${count}. Wieder aktivieren? Sie können sich wieder anmelden.`,
    addToGroup: (count) => `Benutzer: ${count}. Einer Gruppe hinzufügen? Sie erhalten die Rollen der Gruppe.`,
    sendLinks: (count) =>
      `Benutzer: ${count}. Jedem eine E-Mail mit einem Link senden, der ein neues Passwort setzt? Er gilt einmal, 24 Stunden lang. Frühere Links gelten dann nicht mehr.`,
  },
  group: 'Gruppe',
  chooseGroup: 'Wählen Sie eine Gruppe',
  groupHint: 'Der Name der Gruppe beginnt mit',
  noGroup: 'Es gibt keine solche Gruppe.',
  back: 'Zurück zu den Benutzern',
  done: 'Erledigt',
  unchanged: 'Nichts zu tun',
  failed: 'Nicht möglich',
  error: 'Warum',
  failures: 'Mit diesen Benutzern war es nicht möglich',
  lost: 'Sie haben das Recht dazu verloren, darum wurde der Rest nicht erledigt.',
  errors: {
    'directory.userOutranksCaller': 'Dieser Benutzer hat mehr Rechte als Sie.',
    'directory.userNotFound': 'Der Benutzer wurde inzwischen gelöscht.',
    'directory.mailAddressMissing':
      'Der Benutzer ist nicht aktiv oder hat keine E-Mail-Adresse, die ihn erhalten darf.',
    'directory.mailsLimit': 'Dieser Benutzer bekam schon mehrere E-Mails.',
    'directory.mailFailed': 'Der Mailserver nahm die E-Mail nicht an.',
    'directory.requesterStays': 'Sich selbst können Sie hier nicht deaktivieren.',
  },
  otherError: (id) => `Es wurde abgelehnt: ${id}`,
  several: {
    withChosen: 'Mit den gewählten Einträgen:',
    nothing: 'Wählen Sie zuerst etwas in der Liste.',
    left: 'Dies war nicht möglich. Alles andere ist erledigt.',
    confirmNumber: (count) => `Geben Sie zur Bestätigung die Anzahl ein: ${count}`,
    otherNumber: 'Das ist eine andere Zahl.',
    deleteGroups: {
      title: 'Gruppen löschen',
      button: 'Löschen',
      ask: (count) =>
        `Gruppen: ${count}. Löschen? Ihre Mitglieder bleiben, verlieren aber die Rollen, die diese Gruppen geben.`,
      done: 'Die Gruppen wurden gelöscht.',
    },
    deactivateApplications: {
      title: 'Anwendungen deaktivieren',
      button: 'Deaktivieren',
      ask: (count) =>
        `Anwendungen: ${count}. Deaktivieren? Niemand kann sich mehr bei ihnen anmelden, und ihre Tokens enden.`,
      done: 'Die Anwendungen sind deaktiviert.',
    },
    activateApplications: {
      title: 'Anwendungen aktivieren',
      button: 'Aktivieren',
      ask: (count) => `Anwendungen: ${count}. Aktivieren? Man kann sich wieder bei ihnen anmelden.`,
      done: 'Die Anwendungen sind aktiv.',
    },
  },
};
