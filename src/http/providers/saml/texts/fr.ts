import type { SamlStepTexts } from './en.js';

/** French. */
export const fr: SamlStepTexts = {
  open: 'Dans {page}, ouvrez {open}.',
  openOther: 'Ajoutez chez le fournisseur une application pour SAML 2.0.',
  enter: 'Saisissez les deux valeurs ci-dessus sous les noms qu’elles ont là-bas.',
  set: 'Sous {where} : {what}',
  address: 'Copiez l’adresse des métadonnées dans ce formulaire : {name}',
  file: 'Enregistrez les métadonnées dans un fichier et choisissez-le dans ce formulaire : {name}',
};
