import type { AnswerTexts } from './en.js';

/** German. */
export const de: AnswerTexts = {
  claim_userName: 'Benutzername',
  claim_givenName: 'Vorname',
  claim_familyName: 'Nachname',
  claim_displayName: 'Anzeigename',
  claim_email: 'E-Mail-Adresse',
  claim_phoneNumber: 'Telefonnummer',
  claim_preferredLanguage: 'Bevorzugte Sprache',
  claim_locale: 'Gebietsschema',
  claim_timezone: 'Zeitzone',
  claim_title: 'Funktion',
  claim_department: 'Abteilung',
  claim_roles: 'Rollen (SCIM)',
  claim_entitlements: 'Berechtigungen (SCIM)',
  goal_subject: 'Kennung der Identität',
  goal_identifier: 'Vergleich mit der externen Kennung',
  goal_strength: 'Stärke der Anmeldung',
  goal_time: 'Alter der Anmeldung',
  goal_tenant: 'Tenant oder Domain',
  goal_verified: 'ob der Adresse vertraut wird',
  note_identifierMissing:
    'Der Claim, der der externen Kennung gleichen muss, fehlt. Niemand wird durch Provisionierung verknüpft.',
  note_addressUntrusted:
    'Die Adresse ist beim Anbieter nicht bestätigt oder liegt in keiner Domain der Verbindung. Sie verknüpft niemanden.',
  note_timeMissing:
    'Der Anbieter sagt nicht, wann sich die Person angemeldet hat (auth_time). Schritte, die eine frische Anmeldung brauchen, werden abgelehnt.',
  note_factorsUnclaimed:
    'Der Anbieter sagt nicht, dass die Person mehrere Faktoren bewiesen hat (amr mit mfa, oder ein Wert von acr).',
  note_groupsElsewhere:
    'Es sind zu viele Gruppen für das Token, deshalb hat es keine. Lassen Sie den Anbieter nur die Gruppen der Anwendung senden.',
  goal_groups: 'Mitgliedschaft in Gruppen',
  goal_session: 'Ende der Sitzung',
  goal_checked: 'geprüft, sonst nicht verwendet',
  note_certificateEnded:
    'Das Zertifikat in den Metadaten des Anbieters ist am {date} abgelaufen. Lassen Sie den Anbieter ein neues ausstellen, und geben Sie seine Metadaten noch einmal an.',
  note_certificateEndsSoon:
    'Das Zertifikat in den Metadaten des Anbieters läuft am {date} ab. Lassen Sie den Anbieter vorher ein neues ausstellen.',
  note_secretEnded:
    'Das Client-Secret ist am {date} abgelaufen. Erstellen Sie beim Anbieter ein neues, und tragen Sie es ein.',
  note_secretEndsSoon: 'Das Client-Secret läuft am {date} ab. Erstellen Sie vorher beim Anbieter ein neues.',
};
