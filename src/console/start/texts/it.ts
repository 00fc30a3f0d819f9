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
  kinds: {
    locked: 'Bloccato',
    failedJob: 'Processo fallito',
    expiring: 'Un segreto o token scade',
    expired: 'Un segreto o token è scaduto',
    oldKey: 'Chiave di firma vecchia',
  },
};
