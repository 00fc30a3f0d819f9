import type { MailTexts } from './shape.js';

/** French. */
export const fr: MailTexts = {
  hello: 'Bonjour,',
  orOpen: 'Ou ouvrez cette adresse :',
  sentBy: (host) => `Envoyé par ${host}`,
  reset: {
    subject: 'Réinitialiser votre mot de passe',
    text: (organization) =>
      `Quelqu'un a demandé un lien pour définir un nouveau mot de passe pour votre compte chez ${organization}.`,
    button: 'Définir un nouveau mot de passe',
    valid: 'Le lien sert une fois, pendant 24 heures.',
    ignore: "Si vous ne l'avez pas demandé, ignorez cet e-mail. Votre mot de passe ne change pas.",
  },
  confirm: {
    subject: 'Confirmer votre adresse e-mail',
    text: (host) =>
      `Saisissez ce code sur la page de votre compte chez ${host} pour confirmer cette adresse e-mail :`,
    valid: 'Le code est valable 15 minutes.',
    ignore: "Si vous ne l'avez pas demandé, ignorez cet e-mail. Ne donnez le code à personne.",
  },
  changed: {
    subject: 'Votre adresse e-mail a été changée',
    text: (organization) =>
      `Votre compte chez ${organization} a maintenant une autre adresse e-mail. Vous ne recevrez plus d'e-mails à son sujet à cette adresse.`,
    warning: "Si ce n'était pas vous, prévenez immédiatement votre administrateur.",
  },
};
