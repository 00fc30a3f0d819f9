import type { AddManyTexts } from './shape.js';

/** German. */
export const de: AddManyTexts = {
  title: 'Viele hinzufügen',
  about:
    'Holen Sie Personen mit einer Tabelle oder dem Export eines anderen Systems herein. Nichts ändert sich, bevor Sie es sagen.',
  fromFile: 'Aus einer Datei',
  fromCells: 'Aus Zellen',
  kind: 'Woher die Datei kommt',
  kinds: {
    ...{
      auto: 'In der Datei nachsehen',
      table: 'Eine Tabelle (CSV)',
      muster: 'Muster oder „muster convert“',
    },
    ...{ keycloak: 'Keycloak', auth0: 'Auth0', okta: 'Okta', entra: 'Microsoft Entra ID' },
    ...{ cognito: 'Amazon Cognito', firebase: 'Firebase', fusionauth: 'FusionAuth', kratos: 'Ory Kratos' },
    ldif: 'LDAP (LDIF)',
    json: 'Ein anderes System (JSON)',
  },
  file: 'Datei',
  fileHint:
    'Eine CSV-Datei, ein als CSV gespeichertes Excel-Blatt oder die JSON- oder LDIF-Datei eines anderen Systems, höchstens 8 MB.',
  cells: 'Zellen',
  cellsHint: 'Kopieren Sie die Zellen einer Tabelle mit ihrer Überschrift, und fügen Sie sie hier ein.',
  show: 'Personen zeigen',
  faults: {
    empty: 'Die Datei ist leer. Wählen Sie eine andere, oder fügen Sie Zellen ein.',
    tooLarge:
      'Die Datei hat mehr als 8 MB oder 50 000 Zeilen. Teilen Sie sie, oder nehmen Sie den Befehl „muster import“.',
    workbook:
      'Das ist eine Excel-Arbeitsmappe. Speichern Sie das Blatt als CSV (UTF-8), und wählen Sie diese Datei.',
    unreadable: 'Die Datei ist kein Text. Speichern Sie sie als CSV (UTF-8), und wählen Sie sie erneut.',
  },
  gone: 'Die Datei ist nicht mehr da. Sie wird eine Stunde lang behalten, nur für Sie und diesen Browser. Wählen Sie sie erneut.',
  other: 'Eine andere Datei wählen',
  nobody: 'In der Datei ist niemand zu finden.',
  next: 'Nächster Schritt',
  dryRun: 'Probelauf',
  dryRunHint: 'Ein Probelauf prüft jede Person und ändert nichts.',
  update: 'Aktualisieren: Wen es gibt, übernimmt die Werte der Datei',
  updateHint: 'Ohne dies bleibt, wen es gibt, wie er ist.',
  found: 'Was gefunden wurde',
  people: 'Personen',
  withPassword: 'Mit Passwort',
  groups: 'Gruppen',
  refused: 'Unbrauchbare Zeilen',
  refusedHint:
    'Diese Personen werden ausgelassen. Berichtigen Sie die Zeilen und wählen Sie die Datei erneut, oder machen Sie ohne sie weiter.',
  columns: 'Spalten',
  column: 'Spalte',
  becomes: 'Wird zu',
  leftOut: 'ausgelassen',
  lacksUserName:
    'Keine Spalte hat einen Anmeldenamen oder eine E-Mail-Adresse. Geben Sie einer Spalte die Überschrift „E-Mail“ oder „Benutzername“.',
  targets: {
    phone: 'Telefonnummer',
    passwordHash: 'Passwort (Hash)',
    active: 'Aktiv',
    id: 'Kennung',
    group: 'Gruppe',
    roles: 'Rollen',
    created: 'Angelegt',
    lastModified: 'Geändert',
    emailVerified: 'E-Mail-Adresse ist bestätigt',
    phoneVerified: 'Telefonnummer ist bestätigt',
    passwordChangeRequired: 'Muss das Passwort ändern',
    otpSecret: 'Zweiter Faktor',
  },
  examples: 'Die ersten Personen, vorher und nachher',
  examplesHint: 'Passwörter und andere Geheimnisse sind verborgen.',
  person: (number) => `Person ${number}`,
  before: 'In der Datei',
  after: 'Hier',
  lost: 'Ausgelassene Werte',
  lostHint: 'Diese haben hier keinen Platz.',
  importNow: 'Jetzt importieren',
  importHint: 'Dieselbe Datei wird importiert, wie der Probelauf sie geprüft hat.',
  sendLinks: 'Links per Mail senden',
  sendLinksHint:
    'Wer kein Passwort und keinen Link hat, bekommt eine Mail mit einem Link, um eines zu setzen: fünf Mails pro Sekunde.',
  linksBegun:
    'Die Links werden gesendet, fünf pro Sekunde. Wenn es stockt, drücken Sie den Knopf noch einmal: Niemand bekommt zwei.',
  errors: 'Personen, die nicht hinzugefügt werden',
  who: 'Person',
  line: 'Zeile',
  problem: 'Was nicht stimmt',
  whatToDo: 'Was zu tun ist',
  todo: {
    'NAME-TAKEN':
      'Eine andere Person hat diesen Anmeldenamen. Wählen Sie einen anderen, oder lassen Sie die Zeile weg.',
    'OTHER-CONTENT':
      'Die Person gibt es mit anderen Werten. Wählen Sie „Aktualisieren“, oder lassen Sie die Zeile weg.',
    'VALUE-INVALID': 'Berichtigen Sie den Wert, und wählen Sie die Datei erneut.',
    'VALUE-MISSING': 'Ergänzen Sie den Wert, und wählen Sie die Datei erneut.',
    'VALUE-TAKEN': 'Eine andere Person hat diesen Wert. Berichtigen Sie ihn, oder lassen Sie die Zeile weg.',
    'RECORD-INVALID': 'Berichtigen Sie die Zeile, und wählen Sie die Datei erneut.',
    'PASSWORD-WEAK':
      'Geben Sie ein besseres Passwort an, oder lassen Sie die Zelle leer und senden einen Link.',
    'HASH-UNREADABLE': 'Lassen Sie den Hash weg, und senden Sie der Person einen Link.',
    'HASH-COST': 'Lassen Sie den Hash weg, und senden Sie der Person einen Link.',
    'HASH-MISSING': 'Geben Sie der Person eine E-Mail-Adresse oder ein Passwort.',
    'LAST-OWNER': 'Geben Sie die Rolle eines Eigentümers zuerst einer anderen Person, die ein Passwort hat.',
    'USER-OUTRANKS': 'Nur ein Eigentümer des Dienstes darf diese Person ändern.',
    'QUOTA-EXCEEDED':
      'Bitten Sie den Betreiber des Dienstes um ein höheres Kontingent, oder löschen Sie Personen, die gegangen sind.',
    TIMEOUT: 'Importieren Sie dieselbe Datei noch einmal: Wen es gibt, wird übersprungen.',
    CANCELLED: 'Importieren Sie dieselbe Datei noch einmal: Wen es gibt, wird übersprungen.',
    STOPPED: 'Importieren Sie dieselbe Datei noch einmal: Wen es gibt, wird übersprungen.',
  },
  otherTodo: 'Berichtigen Sie die Zeile, oder lassen Sie sie weg, und wählen Sie die Datei erneut.',
  export: 'Exportieren',
  exportHint:
    'Eine Datei mit den Personen, Gruppen, Projekten und Anwendungen dieser Organisation, ohne Passwörter und andere Geheimnisse. Sie kann wieder importiert werden.',
};
