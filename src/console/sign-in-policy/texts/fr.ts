import type { PolicyTexts } from './en.js';

/** French. */
export const fr: PolicyTexts = {
  holds: 'Ce qui est en vigueur',
  none: 'L’organisation n’a pas de règles de connexion propres. Les personnes se connectent comme le service le permet.',
  change: 'Modifier les règles',
  changeHint:
    'Essayez-les d’abord. Un essai indique qui les règles empêcheraient de se connecter, et ne change rien.',
  try: 'Essayer',
  identifierFirst: 'Demander d’abord l’identifiant seul',
  identifierFirstHint: 'La page suivante demande ce qui prouve l’identité de la personne.',
  firstFactors: 'Une connexion commence par',
  firstFactor: {
    password: 'un mot de passe',
    passkey: 'une clé d’accès',
    mailLink: 'un lien par e-mail',
    connection: 'un autre fournisseur d’identité',
  },
  firstFactorsFrom: 'En vigueur à partir du',
  firstFactorsFromHint:
    'Vide : tout de suite. Jusqu’à ce jour, une connexion commence par un mot de passe, une clé d’accès ou un autre fournisseur d’identité. Les jours commencent à minuit UTC.',
  secondFactors: 'Ce qui peut suivre',
  secondFactor: {
    totp: 'un code d’une application d’authentification',
    passkey: 'une clé d’accès',
    mailCode: 'un code par e-mail',
  },
  noFactor: 'rien',
  breakGlassOwners: 'Propriétaires avec accès de secours',
  breakGlassOwnersHint:
    'Leurs noms d’utilisateur ou identifiants, un par ligne, cinq au plus. Ils peuvent se connecter avec un mot de passe et une application d’authentification, ou avec une clé d’accès, quelle que soit la manière des autres. Chacun doit l’avoir déjà fait.',
  demands: 'Exigences',
  demandsHint: 'Si plusieurs exigences concernent une personne, la plus élevée compte.',
  demand: (number) => `Exigence ${number}`,
  of: 'De qui',
  noDemand: 'de personne (omettre)',
  whom: {
    everybody: 'tout le monde',
    roles: 'personnes ayant un rôle',
    groups: 'membres de groupes',
  },
  groups: 'Groupes',
  groupsHint: 'Leurs noms ou identifiants, un par ligne. Seulement pour les membres de groupes.',
  acr: 'Quoi',
  levels: {
    '2': 'deux facteurs',
    phr: 'deux facteurs, dont un résiste à l’hameçonnage, comme une clé d’accès',
  },
  from: 'À partir du',
  demandInWords: (day, level, whom) => `à partir du ${day} : ${level}, pour ${whom}`,
  groupsInWords: (groups) => `les membres de ${groups}`,
  lives: 'Durées',
  livesHint: 'Vide : comme le service l’a défini. De deux durées, la plus courte compte.',
  rememberedBrowserDays: 'Jours pendant lesquels un navigateur est mémorisé',
  rememberedBrowserDaysHint: 'Il n’a alors pas besoin de second facteur. Vide ou 0 : jamais.',
  sessionSeconds: 'Session la plus longue, en minutes',
  sessionIdleSeconds: 'Inactivité la plus longue d’une session, en minutes',
  refreshTokenSeconds: 'Durée la plus longue des jetons d’actualisation, en heures',
  refreshTokenIdleSeconds: 'Inactivité la plus longue des jetons d’actualisation, en heures',
  freshSignInSeconds: 'Durée pendant laquelle une connexion est récente, en minutes',
  inWords: {
    rememberedBrowserDays: 'Navigateurs mémorisés',
    sessionSeconds: 'Session la plus longue',
    sessionIdleSeconds: 'Inactivité la plus longue d’une session',
    refreshTokenSeconds: 'Durée la plus longue des jetons d’actualisation',
    refreshTokenIdleSeconds: 'Inactivité la plus longue des jetons d’actualisation',
    freshSignInSeconds: 'Une connexion est récente pendant',
  },
  never: 'jamais',
  guide: 'Le guide les explique (en anglais).',
  lastOwner:
    'Avec ces règles, aucun propriétaire de l’organisation ne pourrait se connecter : elles n’ont donc pas été enregistrées. Faites d’abord configurer par un propriétaire ce qu’elles exigent. L’essai nomme les personnes qu’elles bloqueraient.',
  unmet: {
    title: 'Ce que les règles de connexion exigent de cet utilisateur, et qu’il n’a pas',
    look: 'Les règles de connexion',
    begins: (factors) => `Une connexion commence seulement par : ${factors}.`,
    beginsFrom: (day, factors) => `À partir du ${day}, une connexion commence seulement par : ${factors}.`,
    holds:
      'Créez un lien à usage unique pour l’utilisateur. Il mène à la page qui configure ce qui est exigé.',
    later: (day) => `Jusqu’au ${day}, chaque connexion demande à l’utilisateur de le configurer.`,
    byFactor: {
      password: 'Créez un lien à usage unique, avec lequel l’utilisateur définit un mot de passe.',
      passkey:
        'L’utilisateur ajoute une clé d’accès sur la page de son compte, dans un navigateur encore connecté.',
      mailLink:
        'L’utilisateur a besoin d’une adresse e-mail principale qui n’est pas marquée comme non vérifiée.',
      connection:
        'L’utilisateur se connecte avec le bouton de l’autre fournisseur, dont les règles lient alors le compte.',
    },
  },
  trial: {
    title: 'Ce que feraient ces règles',
    nothingChanged: 'C’était un essai. Rien n’a été modifié.',
    meets: 'satisfont aux règles',
    mustEnrol: 'doivent configurer un autre facteur avant le jour d’une exigence',
    lockedOut: 'ne pourraient plus se connecter tout de suite',
    administrators: 'Personnes ayant un rôle qui n’y satisfont pas',
    everyAdministratorMeets: 'Toutes les personnes ayant un rôle dans l’organisation y satisfont.',
    outcome: { mustEnrol: 'doit configurer un facteur', lockedOut: 'bloquée' },
    person: 'Personne',
    wouldHappen: 'Ce qui se passerait',
    applications: 'Applications auxquelles des personnes se connectent',
    serviceUsers: 'Utilisateurs de service qui peuvent envoyer des mots de passe, qui seraient refusés',
    firstOnes: 'Seuls les 100 premiers sont nommés.',
    takesLong:
      'Il faut examiner tant de personnes une à une que cela prend un moment. Vous pouvez quitter cette page et y revenir.',
    back: 'Retour aux règles de connexion',
    notCompleted: 'L’essai n’a pas été terminé. Réessayez.',
    cancel: 'Annuler',
  },
};
