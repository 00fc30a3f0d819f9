import type { MailTexts } from './shape.js';

/** Italian. */
export const it: MailTexts = {
  hello: 'Buongiorno,',
  orOpen: 'Oppure apra questo indirizzo:',
  sentBy: (host) => `Inviato da ${host}`,
  reset: {
    subject: 'Reimposti la password',
    text: (organization) =>
      `È stato chiesto un link per impostare una nuova password per il suo account presso ${organization}.`,
    button: 'Imposta una nuova password',
    valid: 'Il link vale una volta, per 24 ore.',
    ignore: 'Se non l’ha chiesto, ignori questa e-mail. La password resta com’è.',
  },
  confirm: {
    subject: 'Confermi il suo indirizzo e-mail',
    text: (host) =>
      `Inserisca questo codice nella pagina del suo account presso ${host} per confermare questo indirizzo e-mail:`,
    valid: 'Il codice vale 15 minuti.',
    ignore: 'Se non l’ha chiesto, ignori questa e-mail. Non dia il codice a nessuno.',
  },
  signInCode: (host) =>
    `Inserisca questo codice nella pagina in cui accede a ${host} per confermare questo indirizzo e-mail:`,
  factor: {
    subject: 'Il suo codice di accesso',
    text: (host) => `Inserisca questo codice nella pagina in cui accede a ${host}:`,
    valid: 'Il codice vale una volta, per 15 minuti e solo nel browser che l’ha chiesto.',
    ignore:
      'Se non l’ha chiesto, qualcuno forse conosce la sua password. La cambi subito. Non dia il codice a nessuno.',
  },
  signInLink: {
    subject: 'Il suo link di accesso',
    text: (host) => `Apra questo link per accedere al suo account presso ${host}:`,
    button: 'Accedi',
    valid: 'Il link vale una volta, per 15 minuti e solo nel browser che l’ha chiesto.',
    ignore: 'Se non l’ha chiesto, ignori questa e-mail. Non dia il link a nessuno.',
  },
  notice: {
    subject: 'Avviso di sicurezza sul suo account',
    text: (host) => `Ecco che cosa è successo al suo account presso ${host}:`,
    kinds: {
      passwordChanged: 'Lei ha cambiato la password.',
      addressChanged: 'Lei ha cambiato il suo indirizzo e-mail. Le e-mail sul suo account vanno al nuovo.',
      secondFactorAdded: 'Lei ha configurato un secondo fattore.',
      secondFactorRemoved: 'Lei ha rimosso il suo secondo fattore.',
      passkeyAdded: 'Lei ha aggiunto una passkey. Con essa si accede al suo account.',
      passkeyRemoved: 'Lei ha rimosso una passkey.',
      identityLinked: 'Lei ha collegato un account di un altro servizio, con cui ora può accedere.',
      identityUnlinked: 'Lei ha rimosso un account di un altro servizio dal suo accesso.',
      recoveryCodesMade: 'Lei ha ottenuto nuovi codici di recupero. Quelli precedenti non valgono più.',
      recoveryCodeUsed: 'Un codice di recupero è stato usato per accedere.',
      passwordSet: 'Un amministratore ha impostato o rimosso la sua password.',
      passwordChangeRequired: 'Un amministratore le chiede una nuova password al prossimo accesso.',
      linkMade: 'Un amministratore ha creato un link che imposta la sua password.',
      addressReplaced:
        'Un amministratore ha cambiato il suo indirizzo e-mail. Le e-mail sul suo account vanno al nuovo.',
      secondFactorGiven: 'Un amministratore ha configurato un secondo fattore per lei.',
      secondFactorTaken: 'Un amministratore ha rimosso il suo secondo fattore.',
      passkeyTaken: 'Un amministratore ha rimosso una delle sue passkey.',
      identityTaken: 'Un amministratore ha rimosso un account di un altro servizio dal suo accesso.',
      domainFailing:
        'Manca il record DNS che dimostra un dominio della sua organizzazione. Se mancherà ancora tra una settimana, il dominio non conterà più.',
      domainLapsed:
        'Un dominio della sua organizzazione non conta più, perché il suo record DNS è mancato per una settimana.',
      recoveryCodesReplaced: 'Un amministratore ha creato nuovi codici di recupero per lei.',
      accessRecovered: 'Il gestore del servizio ha creato un link che ridà accesso al suo account.',
      sessionsEnded: 'Un amministratore ha chiuso la sua sessione.',
      deactivated: 'Un amministratore ha disattivato il suo account.',
      reactivated: 'Un amministratore ha riattivato il suo account.',
      connectionEnds:
        'Il segreto o il certificato di una connessione della sua organizzazione scade entro 30 giorni. Lo rinnovi presso il provider e poi nella console, in Connessioni.',
    },
    newBrowser: (browser, system) =>
      `Qualcuno ha effettuato l’accesso da un browser nuovo per il suo account: ${browser}, ${system}.`,
    unknownBrowser: 'un browser sconosciuto',
    unknownSystem: 'un sistema sconosciuto',
    address: (address) => `Indirizzo di rete: ${address}`,
    times: (count) => `${count} volte, l’ultima:`,
    more: (count) => `E altri ${count} accessi da nuovi browser.`,
    button: 'Apra il suo account',
    warning: 'Se non è stato lei o non se lo aspettava, cambi subito la password e avvisi l’amministratore.',
  },
};
