import type { ServiceUsersTexts } from './en.js';

/** German. */
export const de: ServiceUsersTexts = {
  about: 'Programme, die SCIM oder die Admin-API aufrufen.',
  add: 'Dienstbenutzer anlegen',
  none: 'Noch kein Dienstbenutzer. Legen Sie für jedes Programm einen an.',
  state: 'Zustand',
  userName: 'Benutzername',
  userNameHint: 'Mit einem Geheimnis ist er auch eine Client-ID.',
  nameHint: 'Für Menschen, etwa der Name des Programms.',
  role: 'Rolle',
  noRole: 'Noch keine Rolle',
  description: 'Beschreibung',
  activate: 'Aktivieren',
  deactivate: 'Deaktivieren',
  ignorePasswords: 'Passwörter verwerfen, die er sendet',
  ignorePasswordsHint: 'Für Clients, die zufällige Passwörter senden, etwa Okta.',
  plainScimErrors: 'Einfache SCIM-Fehler',
  plainScimErrorsHint: 'Fehler enthalten nur, was RFC 7644 nennt.',
  addresses: 'Adressen der Organisation',
  addressesHint:
    'Ein Programm fragt die letzte nach signierten Nachrichten über geänderte Benutzer und Gruppen (RFC 9967).',
  securityEvents: 'Sicherheitsereignis-Token',
  removeTitle: 'Dienstbenutzer entfernen',
  removeText: 'Das Programm wird danach abgewiesen. Seine Anmeldedaten und Rollen werden mit entfernt.',
};
