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
  kinds: {
    locked: 'Verrouillé',
    failedJob: 'Tâche échouée',
    expiring: 'Un secret ou un jeton expire',
    expired: 'Un secret ou un jeton a expiré',
    oldKey: 'Ancienne clé de signature',
  },
};
