import type { UserActionTexts } from './shape.js';

/** Italian. */
export const it: UserActionTexts = {
  choose: 'Scegli',
  all: 'Tutti gli utenti di questo elenco, anche quelli su altre pagine',
  allFound: 'Tutti quelli che questa ricerca trova, anche quelli su altre pagine',
  withChosen: 'Con gli utenti scelti:',
  nobody: "Scelga prima degli utenti nell'elenco.",
  more: (count) => `e altri ${count}`,
  title: {
    deactivate: 'Disattivare utenti',
    reactivate: 'Riattivare utenti',
    addToGroup: 'Aggiungere utenti a un gruppo',
    sendLinks: 'Inviare link',
  },
  button: {
    deactivate: 'Disattiva',
    reactivate: 'Riattiva',
    addToGroup: 'Aggiungi a un gruppo',
    sendLinks: 'Invia link',
  },
  ask: {
    deactivate: (count) =>
      `Utenti: ${count}. Disattivarli? Non possono più accedere, e le loro sessioni e i loro token terminano.`,
    reactivate: (count) => `Utenti: ${count}. Riattivarli? Possono di nuovo accedere.`,
    addToGroup: (count) => `Utenti: ${count}. Aggiungerli a un gruppo? Ricevono i ruoli del gruppo.`,
    sendLinks: (count) =>
      `Utenti: ${count}. Inviare a ciascuno una e-mail con un link che imposta una nuova password? Vale una volta, per 24 ore. I link precedenti non funzionano più.`,
  },
  group: 'Gruppo',
  chooseGroup: 'Scelga un gruppo',
  groupHint: 'Il nome del gruppo comincia con',
  noGroup: 'Non esiste un gruppo simile.',
  back: 'Torna agli utenti',
  done: 'Fatto',
  unchanged: 'Niente da fare',
  failed: 'Non possibile',
  error: 'Perché',
  failures: 'Con questi utenti non è stato possibile',
  lost: 'Ha perso il diritto di farlo, quindi il resto non è stato fatto.',
  errors: {
    'directory.userOutranksCaller': 'Questo utente ha più diritti di lei.',
    'directory.userNotFound': "L'utente è stato eliminato nel frattempo.",
    'directory.mailAddressMissing': "L'utente non è attivo o non ha un indirizzo e-mail che possa riceverlo.",
    'directory.mailsLimit': 'Questo utente ha già ricevuto più e-mail.',
    'directory.mailFailed': "Il server di posta non ha accettato l'e-mail.",
    'directory.requesterStays': 'Qui non può disattivare se stesso.',
  },
  otherError: (id) => `È stato rifiutato: ${id}`,
  several: {
    withChosen: 'Con gli elementi scelti:',
    nothing: "Scelga prima qualcosa nell'elenco.",
    left: 'Questo non è stato possibile. Tutto il resto è fatto.',
    confirmNumber: (count) => `Scriva il numero per confermare: ${count}`,
    otherNumber: 'È un altro numero.',
    deleteGroups: {
      title: 'Eliminare gruppi',
      button: 'Elimina',
      ask: (count) =>
        `Gruppi: ${count}. Eliminarli? I loro membri restano, ma perdono i ruoli che questi gruppi danno.`,
      done: 'I gruppi sono stati eliminati.',
    },
    deactivateApplications: {
      title: 'Disattivare applicazioni',
      button: 'Disattiva',
      ask: (count) =>
        `Applicazioni: ${count}. Disattivarle? Nessuno potrà più accedervi, e i loro token terminano.`,
      done: 'Le applicazioni sono disattivate.',
    },
    activateApplications: {
      title: 'Attivare applicazioni',
      button: 'Attiva',
      ask: (count) => `Applicazioni: ${count}. Attivarle? Vi si potrà di nuovo accedere.`,
      done: 'Le applicazioni sono attive.',
    },
  },
};
