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
  changed: {
    subject: 'Il suo indirizzo e-mail è stato cambiato',
    text: (organization) =>
      `Il suo account presso ${organization} ha ora un altro indirizzo e-mail. A questo indirizzo non riceverà più e-mail che lo riguardano.`,
    warning: 'Se non è stato lei, avvisi subito l’amministratore.',
  },
};
