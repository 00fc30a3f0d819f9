import type { ConnectTexts } from './en.js';

/** German. */
export const de: ConnectTexts = {
  connect: 'Verbinden',
  framework: 'Framework',
  test: 'Anmeldung testen',
  settings: 'Einstellungen',
  addresses: 'Wo das Programm läuft',
  allowed: 'Die Anwendung erlaubt diese Redirect-URI.',
  notAllowed: 'Das Programm verwendet diese Adressen. Die Anwendung erlaubt sie noch nicht.',
  allow: 'Erlauben',
  saveAs: 'Als {file} speichern',
  addTo: 'Am Ende von {file} anfügen',
  run: 'Ausführen',
  secretHint:
    'Setzen Sie hier das Client-Secret ein. Wenn niemand es mehr hat, fügen Sie der Anwendung ein neues hinzu.',
  otherProof:
    'Dieses Programm weist sich mit {code} aus, die Anwendung aber mit {application}. Ändern Sie eines von beiden, sonst wird das Programm abgelehnt.',
  afterwards: 'Danach',
  open: 'Öffnen Sie {address} und melden Sie sich an.',
  openPrinted: 'Öffnen Sie die Adresse, die das Programm ausgibt, und melden Sie sich an.',
  callIt: 'Die Seite der API hat Anfragen, mit denen man sie aufruft.',
  programPrints:
    'Es gibt aus, was dieser Dienst über das Programm sagt. Die Anleitung zeigt, wie es eine API aufruft.',
  guide: 'Die Anleitung erklärt jeden Schritt (auf Englisch)',
  mobile: 'Anleitung für Android und iOS (auf Englisch)',
  allGuides: 'Alle Anleitungen (auf Englisch)',
  another: 'Etwas anderes?',
  noProject: 'Die API gehört zu keinem Projekt. Deshalb kann kein Token für sie sein.',
  toApi: 'Zur API',
  program: 'Programm ohne Person',
  aboutProgram: 'Ruft APIs im eigenen Namen auf, zum Beispiel nachts. Niemand meldet sich an.',
  addProgram: 'Programm hinzufügen',
  programNameHint: 'Administratoren sehen ihn im Protokoll.',
  programAdded: 'Das Programm wurde hinzugefügt.',
};
