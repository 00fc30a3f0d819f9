import type { ServiceUsersTexts } from './en.js';

/** Italian. */
export const it: ServiceUsersTexts = {
  about: "Programmi che chiamano SCIM o l'API di amministrazione.",
  add: 'Aggiungi un utente di servizio',
  none: 'Ancora nessun utente di servizio. Ne aggiunga uno per programma.',
  state: 'Stato',
  userName: 'Nome utente',
  userNameHint: 'Con un segreto è anche un ID client.',
  nameHint: 'Per le persone, per esempio il nome del programma.',
  role: 'Ruolo',
  noRole: 'Ancora nessun ruolo',
  description: 'Descrizione',
  activate: 'Attiva',
  deactivate: 'Disattiva',
  ignorePasswords: 'Scarta le password che invia',
  ignorePasswordsHint: 'Per client che inviano password casuali, come Okta.',
  plainScimErrors: 'Errori SCIM semplici',
  plainScimErrorsHint: 'Gli errori hanno solo ciò che nomina la RFC 7644.',
  addresses: "Indirizzi dell'organizzazione",
  addressesHint:
    "Un programma interroga l'ultimo per avere messaggi firmati su utenti e gruppi modificati (RFC 9967).",
  securityEvents: 'Token di eventi di sicurezza',
  removeTitle: "Rimuovi l'utente di servizio",
  removeText: 'Il programma sarà rifiutato. Le sue credenziali e i suoi ruoli vengono rimossi.',
};
