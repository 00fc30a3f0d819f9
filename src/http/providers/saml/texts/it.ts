import type { SamlStepTexts } from './en.js';

/** Italian. */
export const it: SamlStepTexts = {
  open: 'In {page}, apra {open}.',
  openOther: 'Aggiunga presso il provider un’applicazione per SAML 2.0.',
  enter: 'Inserisca i due valori qui sopra sotto i nomi che hanno lì.',
  set: 'In {where}: {what}',
  address: 'Copi l’indirizzo dei metadati in questo modulo: {name}',
  file: 'Salvi i metadati in un file e lo scelga in questo modulo: {name}',
};
