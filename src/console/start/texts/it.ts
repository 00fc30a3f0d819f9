import type { StartTexts } from './shape.js';

/** Italian. */
export const it: StartTexts = {
  welcome: (name) => `Buongiorno, ${name}`,
  aboutInstance: 'Che cosa succede in questo servizio.',
  aboutOrganization: 'Che cosa succede nella sua organizzazione.',
  attention: 'Richiede attenzione',
  nothing: 'Nulla richiede la sua attenzione.',
  running: 'In corso',
  nothingRuns: 'Nulla è in corso.',
  happened: 'Che cosa è successo',
  noRole:
    'Non ha alcun ruolo qui, quindi non c’è nulla da amministrare. Il suo account ha una pagina propria.',
  yourUsers: 'Può vedere o gestire gli utenti di:',
  firstSteps: {
    title: 'Primi passi',
    about: 'Questo elenco scompare quando tutto è fatto.',
    done: 'fatto',
    people: {
      label: 'Aggiungere persone',
      hint: 'A mano, da un file o da un sistema che collega in Provisioning.',
    },
    application: {
      label: 'Aggiungere un’applicazione',
      hint: 'Le persone vi accedono. Può provare subito l’accesso.',
    },
    owner: {
      label: 'Dare il ruolo di proprietario a una seconda persona',
      hint: 'Così nessuno resta escluso se perde la password o il telefono.',
    },
    secondFactor: {
      label: 'Configurare il secondo fattore',
      hint: 'Un codice del suo telefono protegge l’account più potente.',
    },
  },
  kinds: {
    locked: 'Bloccato',
    failedJob: 'Processo fallito',
    expiring: 'Un segreto o token scade',
    expired: 'Un segreto o token è scaduto',
    oldKey: 'Chiave di firma vecchia',
  },
};
