import type { UserActionTexts } from './shape.js';

/** French. */
export const fr: UserActionTexts = {
  choose: 'Choisir',
  all: 'Tous les utilisateurs de cette liste, aussi ceux des autres pages',
  allFound: 'Tous ceux que cette recherche trouve, aussi ceux des autres pages',
  withChosen: 'Avec les utilisateurs choisis :',
  nobody: "Choisissez d'abord des utilisateurs dans la liste.",
  more: (count) => `et ${count} autres`,
  title: {
    deactivate: 'Désactiver des utilisateurs',
    reactivate: 'Réactiver des utilisateurs',
    addToGroup: 'Ajouter des utilisateurs à un groupe',
    sendLinks: 'Envoyer des liens',
  },
  button: {
    deactivate: 'Désactiver',
    reactivate: 'Réactiver',
    addToGroup: 'Ajouter à un groupe',
    sendLinks: 'Envoyer des liens',
  },
  ask: {
    deactivate: (count) =>
      `Utilisateurs : ${count}. Les désactiver ? Ils ne peuvent plus se connecter, et leurs sessions et jetons prennent fin.`,
    reactivate: (count) => `Utilisateurs : ${count}. Les réactiver ? Ils peuvent de nouveau se connecter.`,
    addToGroup: (count) =>
      `Utilisateurs : ${count}. Les ajouter à un groupe ? Ils reçoivent les rôles du groupe.`,
    sendLinks: (count) =>
      `Utilisateurs : ${count}. Envoyer à chacun un e-mail avec un lien qui définit un nouveau mot de passe ? Il est valable une fois, pendant 24 heures. Les liens antérieurs ne fonctionnent plus.`,
  },
  group: 'Groupe',
  chooseGroup: 'Choisissez un groupe',
  groupHint: 'Le nom du groupe commence par',
  noGroup: "Il n'y a pas de groupe de ce nom.",
  back: 'Retour aux utilisateurs',
  done: 'Fait',
  unchanged: 'Rien à faire',
  failed: 'Impossible',
  error: 'Pourquoi',
  failures: "Avec ces utilisateurs, ce n'était pas possible",
  lost: "Vous avez perdu ce droit, donc le reste n'a pas été fait.",
  errors: {
    'directory.userOutranksCaller': 'Cet utilisateur a plus de droits que vous.',
    'directory.userNotFound': "L'utilisateur a été supprimé entre-temps.",
    'directory.mailAddressMissing':
      "L'utilisateur n'est pas actif ou n'a pas d'adresse e-mail qui puisse le recevoir.",
    'directory.mailsLimit': 'Cet utilisateur a déjà reçu plusieurs e-mails.',
    'directory.mailFailed': "Le serveur de messagerie n'a pas accepté l'e-mail.",
    'directory.requesterStays': 'Vous ne pouvez pas vous désactiver vous-même ici.',
  },
  otherError: (id) => `Refusé : ${id}`,
  several: {
    withChosen: 'Avec les éléments choisis :',
    nothing: "Choisissez d'abord quelque chose dans la liste.",
    left: "Ceci n'a pas été possible. Tout le reste est fait.",
    confirmNumber: (count) => `Saisissez le nombre pour confirmer : ${count}`,
    otherNumber: "C'est un autre nombre.",
    deleteGroups: {
      title: 'Supprimer des groupes',
      button: 'Supprimer',
      ask: (count) =>
        `Groupes : ${count}. Les supprimer ? Leurs membres restent, mais perdent les rôles que ces groupes donnent.`,
      done: 'Les groupes ont été supprimés.',
    },
    deactivateApplications: {
      title: 'Désactiver des applications',
      button: 'Désactiver',
      ask: (count) =>
        `Applications : ${count}. Les désactiver ? Plus personne ne peut s'y connecter, et leurs jetons prennent fin.`,
      done: 'Les applications sont désactivées.',
    },
    activateApplications: {
      title: 'Activer des applications',
      button: 'Activer',
      ask: (count) => `Applications : ${count}. Les activer ? On peut de nouveau s'y connecter.`,
      done: 'Les applications sont actives.',
    },
  },
};
