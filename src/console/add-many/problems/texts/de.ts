import type { ProblemTexts } from './shape.js';

/** German. What stands in braces is a parameter of the problem. */
export const de: ProblemTexts = {
  notJson: 'Diese Zeile ist kein JSON. Berichtigen Sie sie, oder exportieren Sie die Datei neu.',
  notObject: 'Diese Zeile ist kein JSON-Objekt. Berichtigen Sie sie, oder exportieren Sie die Datei neu.',
  twoMembers: 'Die Person hat zwei Werte mit demselben Namen. Entfernen Sie einen davon.',
  reservedMember: 'Die Person hat einen Wert mit dem Namen {name}. Benennen Sie ihn um.',
  tooLong: 'Die Person hat mehr als {most} Bytes. Entfernen Sie lange Werte.',
  notUtf8: 'Diese Zeile ist kein Text in UTF-8. Speichern Sie die Datei in UTF-8.',
  cells: 'Die Zeile hat {count} Zellen, die Überschrift hat {expected}. Berichtigen Sie die Zeile.',
  notPerson: 'Das ist keine Person von {system}: Ein Name zum Anmelden fehlt. Ergänzen Sie ihn.',
  otherSystem: 'Das ist keine Person von {system}. Wählen Sie bei „Woher die Datei kommt“ etwas anderes.',
  noUserName: 'Die Person hat weder einen Anmeldenamen noch eine E-Mail-Adresse. Ergänzen Sie eines davon.',
  noAddress: 'Die Person hat keine E-Mail-Adresse. Ergänzen Sie sie.',
  noName: 'Der Vor- oder der Nachname fehlt. Ergänzen Sie ihn.',
  noIdentifier: 'Die Person hat keine Kennung. Ergänzen Sie sie.',
  identifier:
    'Die Kennung hat mehr als 200 Zeichen, Leerzeichen oder andere Buchstaben als a bis z. Ändern Sie sie.',
  value: '{name}: Dieser Wert ist nicht brauchbar. Berichtigen Sie ihn.',
  notText: '{name}: Der Wert ist kein Text in UTF-8. Berichtigen Sie ihn.',
  notDate: '{name}: Geben Sie ein Datum von 1970 bis heute an.',
  notFlag: '{name}: Schreiben Sie yes oder no.',
  hashUnreadable:
    'Der Passwort-Hash ist nicht lesbar. Lassen Sie solche Hashes unten weg, oder leeren Sie die Zelle.',
  hashCost:
    'Der Passwort-Hash ist zu aufwendig zu prüfen. Lassen Sie solche Hashes unten weg, oder leeren Sie die Zelle.',
  credentialsMissing:
    'Die Person hat weder ein Passwort noch eine E-Mail-Adresse. Ergänzen Sie eines davon, oder erlauben Sie solche Personen unten.',
  hashAndPassword: 'Die Person hat ein Passwort und einen Hash. Entfernen Sie eines davon.',
  clearPassword: 'Das Passwort ist kein Hash. Entfernen Sie es.',
  longPassword:
    'Das Passwort hat mehr als 200 Zeichen. Geben Sie ein kürzeres an, oder lassen Sie solche Passwörter unten weg.',
  secondFactor:
    'Die Person hat einen zweiten Faktor, der nicht mitkommen kann. Wählen Sie unten, was dann geschieht.',
  secondFactorUnverified:
    'Der zweite Faktor kann nicht mitkommen, und die Person hat keine E-Mail-Adresse für einen Link. Ergänzen Sie eine, oder wählen Sie unten etwas anderes.',
  tooManyGroups: 'Die Datei hat mehr als {most} Gruppen. Wahrscheinlich ist eine Spalte keine Gruppe.',
  groupName: 'Eine andere Gruppe hat denselben Namen. Benennen Sie eine um.',
  sameIdentifier: 'Zeile {line} hat dieselbe Kennung. Ändern oder entfernen Sie eine der beiden.',
  sameName: 'Zeile {line} hat denselben Anmeldenamen. Ändern oder entfernen Sie einen der beiden.',
  groupUnnamed: 'Eine Gruppe hat keinen Wert „{name}“. Ergänzen Sie ihn.',
  groupTwice: 'Die Datei hat diese Gruppe zweimal. Entfernen Sie eine der beiden.',
  subgroupNotObject:
    'Eine Untergruppe dieser Gruppe ist kein JSON-Objekt. Berichtigen Sie sie, oder exportieren Sie die Datei neu.',
  subgroupsLost: 'Die Gruppen in dieser Gruppe bleiben mit ihr weg. Berichtigen Sie zuerst die Gruppe.',
  organizationUnnamed: 'Organisation {place} der Datei hat keine Kennung. Ergänzen Sie ihre orgId.',
  otherHash:
    'Zeile {line} hat für dieselbe Kennung einen anderen Passwort-Hash. Entfernen Sie einen der beiden.',
  noNameColumn:
    'Kein Wert sieht wie ein Anmeldename oder eine E-Mail-Adresse aus. Nennen Sie einen der Werte „email“ oder „userName“.',
  noPeople: 'In der Datei ist niemand zu finden.',
  noList: 'Die Datei hat keine Liste von Personen.',
  brokenEntry:
    'Der Eintrag folgt den Regeln von LDIF nicht. Berichtigen Sie ihn, oder exportieren Sie die Datei neu.',
  brokenJson: 'Die Datei ist ab Zeile {line} kein JSON. Berichtigen Sie sie, oder exportieren Sie sie neu.',
  severalRealms: 'Die Datei hat mehrere Realms: {list}. Exportieren Sie einen davon allein.',
  brokenTable: 'Zeile {line}: Ein Anführungszeichen steht falsch oder wird nicht geschlossen.',
  longRow: 'Zeile {line} ist zu lang. Vielleicht ist ein Anführungszeichen nicht geschlossen.',
  tooManyColumns: 'Die Tabelle hat mehr als {most} Spalten.',
  columnUnnamed: 'Spalte {place} hat keine Überschrift. Geben Sie ihr eine, oder entfernen Sie die Spalte.',
  columnTwice: 'Zwei Spalten haben die Überschrift {name}. Benennen Sie eine um.',
  tooMuch: 'Die Datei braucht zu viel Zeit oder Speicher. Teilen Sie sie.',
  other:
    'Die Datei ist nicht brauchbar. Exportieren Sie sie neu, oder wählen Sie bei „Woher die Datei kommt“ etwas anderes.',
};
