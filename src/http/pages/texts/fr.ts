import type { ErrorTexts } from './shape.js';

/** French. */
export const fr: ErrorTexts = {
  kinds: {
    signIn: {
      title: "Cette demande de connexion n'est pas valide.",
      text: "Retournez à l'application et recommencez. Si cela se reproduit, contactez l'assistance.",
    },
    signOut: {
      title: "Cette demande de déconnexion n'est pas valide.",
      text: 'Vous pouvez vous déconnecter sur la page de votre compte.',
    },
    request: {
      title: "Cette demande n'est pas valide.",
      text: "Revenez en arrière et recommencez. Si cela se reproduit, contactez l'assistance.",
    },
    notFound: { title: 'Rien ici', text: "Il n'y a pas de page à cette adresse." },
    tooMany: { title: 'Trop de tentatives', text: 'Attendez un instant, puis réessayez.' },
    unavailable: {
      title: 'Indisponible',
      text: 'Nous ne pouvons pas répondre pour le moment. Réessayez dans un instant.',
    },
    fault: {
      title: "Une erreur s'est produite.",
      text: "Si elle se reproduit, contactez l'assistance.",
    },
  },
  developer: "Pour le développeur de l'application",
  guide: 'Le guide : quand une connexion échoue',
  problem: 'Problème',
  account: 'Aller à votre compte',
  again: 'Réessayer',
};
