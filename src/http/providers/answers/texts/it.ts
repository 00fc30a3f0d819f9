import type { AnswerTexts } from './en.js';

/** Italian. */
export const it: AnswerTexts = {
  claim_userName: 'Nome utente',
  claim_givenName: 'Nome',
  claim_familyName: 'Cognome',
  claim_displayName: 'Nome visualizzato',
  claim_email: 'Indirizzo e-mail',
  claim_phoneNumber: 'Numero di telefono',
  claim_preferredLanguage: 'Lingua preferita',
  claim_locale: 'Impostazioni locali',
  claim_timezone: 'Fuso orario',
  claim_title: 'Qualifica',
  claim_department: 'Reparto',
  claim_roles: 'Ruoli (SCIM)',
  claim_entitlements: 'Diritti (SCIM)',
  goal_subject: 'identificativo dell’identità',
  goal_identifier: 'confrontato con l’identificativo esterno',
  goal_strength: 'forza dell’accesso',
  goal_time: 'età dell’accesso',
  goal_tenant: 'tenant o dominio',
  goal_verified: 'se l’indirizzo è attendibile',
  note_identifierMissing:
    'Manca il claim che deve essere uguale all’identificativo esterno. Nessuno viene collegato dal provisioning.',
  note_addressUntrusted:
    'L’indirizzo non è verificato presso il provider, o non è in nessun dominio della connessione. Non collega nessuno.',
  note_timeMissing:
    'Il provider non dice quando la persona ha effettuato l’accesso (auth_time). Gli atti che richiedono un accesso recente vengono rifiutati.',
  note_factorsUnclaimed:
    'Il provider non dice che la persona ha provato più fattori (amr con mfa, o un valore di acr).',
  note_groupsElsewhere:
    'I gruppi sono troppi per il token, che non ne ha nessuno. Faccia inviare al provider solo i gruppi dell’applicazione.',
  goal_groups: 'appartenenza ai gruppi',
  goal_session: 'fine della sessione',
  goal_checked: 'verificato, e non usato per altro',
  note_certificateEnded:
    'Il certificato nei metadati del provider è scaduto il {date}. Ne faccia creare un altro al provider, e fornisca di nuovo i suoi metadati.',
  note_certificateEndsSoon:
    'Il certificato nei metadati del provider scade il {date}. Ne faccia creare prima un altro al provider.',
  note_secretEnded:
    'Il segreto del client è scaduto il {date}. Ne crei un altro presso il provider, e lo inserisca.',
  note_secretEndsSoon: 'Il segreto del client scade il {date}. Ne crei prima un altro presso il provider.',
};
