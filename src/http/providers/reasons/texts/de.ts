import type { RefusalReasons } from './en.js';

/** German. */
export const de: RefusalReasons = {
  unreachable:
    'Der Anbieter antwortet nicht. Drücken Sie „Anbieter testen“. Prüfen Sie seine Statusseite und seine Adresse.',
  metadataInvalid:
    'Das Discovery-Dokument fehlt oder nennt einen anderen Aussteller. Vergleichen Sie den Issuer Zeichen für Zeichen.',
  cancelled:
    'Die Person hat die Anmeldung beim Anbieter beendet, oder der Anbieter hat sie nicht eingelassen. Prüfen Sie, wer die Anwendung dort benutzen darf.',
  refusedByProvider:
    'Der Anbieter hat mit einem Fehler geantwortet. Vergleichen Sie Rücksprungadresse, Client-ID und Scopes mit seiner Anwendung.',
  answerInvalid:
    'Die Antwort passte nicht zur Anfrage. Wenn das oft geschieht: Vergleichen Sie den Issuer, und ob der Anbieter mit einem Formular antwortet.',
  codeRefused:
    'Der Anbieter hat das Client-Geheimnis oder den Code abgelehnt. Meist ist das Geheimnis falsch oder abgelaufen. Setzen Sie ein neues.',
  tokenInvalid:
    'Das ID-Token ist nicht für diese Verbindung, oder eine Uhr geht falsch. Vergleichen Sie Client-ID und Issuer.',
  signatureInvalid:
    'Die Signatur des ID-Tokens passt nicht zu den Schlüsseln des Anbieters. Drücken Sie „Anbieter testen“.',
  tenantWrong:
    'Die Person gehört zu einem anderen Tenant oder einer anderen Domain des Anbieters. Das ist richtig so, wenn Sie die Person nicht kennen.',
  notFresh:
    'Eine frische Anmeldung war nötig, und der Anbieter sagt nicht, wann sie war. Fügen Sie bei Entra den optionalen Claim auth_time hinzu.',
  secretMissing: 'Das Geheimnis ist nicht mehr lesbar. Setzen Sie es noch einmal.',
  connectionOff: 'Die Verbindung wurde inzwischen ausgeschaltet.',
  unknownPerson:
    'Kein Benutzer ist verknüpft, und keine Regel verknüpft einen. Provisionieren Sie die Person, verknüpfen Sie sie, oder lassen Sie die Verbindung Benutzer anlegen.',
  inactive: 'Der Benutzer ist hier inaktiv. Aktivieren Sie ihn, oder lassen Sie es so.',
  locked:
    'Der Benutzer ist nach zu vielen falschen Passwörtern gesperrt. Entsperren Sie ihn, oder warten Sie.',
  roleOutside:
    'Der Benutzer hat eine Rolle in der Instanz oder in einer anderen Organisation. Er meldet sich mit Passwort oder Passkey an.',
  ambiguous: 'Mehrere Benutzer haben diese Kennung oder Adresse. Ändern Sie sie bei allen bis auf einen.',
  quotaFull:
    'Die Organisation hat keinen Platz für einen weiteren Benutzer. Entfernen Sie Benutzer, oder bitten Sie um ein größeres Kontingent.',
  valueTaken:
    'Ein anderer Benutzer hat den Anmeldenamen oder einen anderen eindeutigen Wert. Verknüpfen Sie die Person mit ihm, oder ändern Sie den Wert.',
  tooManyIdentities: 'Der Benutzer hat 20 Identitäten. Entfernen Sie eine.',
  identityTaken: 'Die Identität gehört einem anderen Benutzer.',
  assertionInvalid:
    'Die Assertion passt nicht zu dieser Anfrage: Audience, Adresse, Zeit oder Subject. Vergleichen Sie Entity ID und ACS, und lesen Sie die Einzelheit.',
  assertionUsed: 'Dieselbe Assertion kam ein zweites Mal. Die Person kann sich noch einmal anmelden.',
  undecryptable:
    'Die verschlüsselte Assertion lässt sich nicht öffnen. Geben Sie dem Anbieter das Zertifikat dieser Verbindung.',
  tooCostly: 'Das Lesen der Antwort dauerte zu lange, oder es kamen zu viele zugleich.',
};
