import type { ConnectTexts } from './en.js';

/** Italian. */
export const it: ConnectTexts = {
  connect: 'Collega',
  framework: 'Framework',
  test: 'Prova l’accesso',
  settings: 'Impostazioni',
  addresses: 'Dove gira il programma',
  allowed: 'L’applicazione consente questo URI di reindirizzamento.',
  notAllowed: 'Il programma usa questi indirizzi. L’applicazione non li consente ancora.',
  allow: 'Consentirli',
  saveAs: 'Salvi questo come {file}',
  addTo: 'Aggiunga questo alla fine di {file}',
  run: 'Esegua questo',
  secretHint:
    'Inserisca qui il segreto del client. Se nessuno lo ha più, ne aggiunga un altro all’applicazione.',
  otherProof:
    'Questo programma si autentica con {code}, l’applicazione invece con {application}. Cambi uno dei due, altrimenti il programma viene rifiutato.',
  afterwards: 'Poi',
  open: 'Apra {address} e acceda.',
  openPrinted: 'Apra l’indirizzo che il programma mostra e acceda.',
  callIt: 'La pagina dell’API contiene richieste per chiamarla.',
  programPrints: 'Mostra ciò che questo servizio dice del programma. La guida spiega come chiama un’API.',
  guide: 'La guida spiega ogni passo (in inglese)',
  mobile: 'Guida per Android e iOS (in inglese)',
  allGuides: 'Tutte le guide (in inglese)',
  another: 'Qualcos’altro?',
  noProject: 'L’API non appartiene ad alcun progetto, quindi nessun token può essere destinato a lei.',
  toApi: 'All’API',
  program: 'Programma senza persona',
  aboutProgram: 'Chiama API a proprio nome, per esempio di notte. Nessuno accede.',
  addProgram: 'Aggiungi un programma',
  programNameHint: 'Gli amministratori lo vedono nel registro.',
  programAdded: 'Il programma è stato aggiunto.',
};
