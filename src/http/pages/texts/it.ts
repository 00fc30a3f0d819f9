import type { ErrorTexts } from './shape.js';

/** Italian. */
export const it: ErrorTexts = {
  kinds: {
    signIn: {
      title: 'Questa richiesta di accesso non è valida.',
      text: 'Torni all’applicazione e ricominci. Se succede di nuovo, contatti l’assistenza.',
    },
    signOut: {
      title: 'Questa richiesta di uscita non è valida.',
      text: 'Può uscire nella pagina del suo account.',
    },
    request: {
      title: 'Questa richiesta non è valida.',
      text: 'Torni indietro e ricominci. Se succede di nuovo, contatti l’assistenza.',
    },
    notFound: { title: 'Qui non c’è nulla', text: 'A questo indirizzo non c’è alcuna pagina.' },
    tooMany: { title: 'Troppi tentativi', text: 'Attenda un momento e riprovi.' },
    unavailable: {
      title: 'Non disponibile',
      text: 'Al momento non possiamo rispondere. Riprovi tra poco.',
    },
    fault: { title: 'Qualcosa è andato storto.', text: 'Se succede di nuovo, contatti l’assistenza.' },
  },
  developer: 'Per lo sviluppatore dell’applicazione',
  guide: 'La guida: quando un accesso non riesce',
  problem: 'Problema',
  account: 'Vai al suo account',
  again: 'Riprova',
};
