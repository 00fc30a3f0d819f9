import type { StartTexts } from './shape.js';

/** French. */
export const fr: StartTexts = {
  welcome: (name) => `Bonjour, ${name}`,
  aboutInstance: 'Ce qui se passe dans ce service.',
  aboutOrganization: 'Ce qui se passe dans votre organisation.',
  attention: 'À surveiller',
  nothing: 'Rien ne demande votre attention.',
  running: 'En cours',
  nothingRuns: 'Rien n’est en cours.',
  happened: 'Ce qui s’est passé',
  noRole: 'Vous n’avez aucun rôle ici : il n’y a rien à administrer. Votre propre compte a sa page.',
  yourUsers: 'Vous pouvez voir ou gérer les utilisateurs de :',
  firstSteps: {
    title: 'Premiers pas',
    about: 'Cette liste disparaît quand tout est fait.',
    done: 'fait',
    people: {
      label: 'Ajouter des personnes',
      hint: 'À la main, depuis un fichier ou depuis un système que vous connectez sous Provisionnement.',
    },
    application: {
      label: 'Ajouter une application',
      hint: 'Les personnes s’y connectent. Vous pouvez tester la connexion tout de suite.',
    },
    owner: {
      label: 'Donner le rôle de propriétaire à une deuxième personne',
      hint: 'Ainsi, personne n’est bloqué si vous perdez votre mot de passe ou votre téléphone.',
    },
    secondFactor: {
      label: 'Configurer votre second facteur',
      hint: 'Un code de votre téléphone protège le compte le plus puissant.',
    },
  },
  kinds: {
    locked: 'Verrouillé',
    failedJob: 'Tâche échouée',
    expiring: 'Un secret ou un jeton expire',
    expired: 'Un secret ou un jeton a expiré',
    oldKey: 'Ancienne clé de signature',
  },
};
