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
  signInCode: (host) =>
    `Saisissez ce code sur la page où vous vous connectez chez ${host} pour confirmer cette adresse e-mail :`,
  factor: {
    subject: 'Votre code de connexion',
    text: (host) => `Saisissez ce code sur la page où vous vous connectez chez ${host} :`,
    valid: 'Le code sert une fois, pendant 15 minutes, et seulement dans le navigateur qui l’a demandé.',
    ignore:
      "Si vous ne l'avez pas demandé, quelqu'un connaît peut-être votre mot de passe. Changez-le tout de suite. Ne donnez le code à personne.",
  },
  signInLink: {
    subject: 'Votre lien de connexion',
    text: (host) => `Ouvrez ce lien pour vous connecter à votre compte chez ${host} :`,
    button: 'Se connecter',
    valid: 'Le lien sert une fois, pendant 15 minutes, et seulement dans le navigateur qui l’a demandé.',
    ignore: "Si vous ne l'avez pas demandé, ignorez cet e-mail. Ne donnez le lien à personne.",
  },
  notice: {
    subject: 'Avis de sécurité sur votre compte',
    text: (host) => `Voici ce qui s'est passé sur votre compte chez ${host} :`,
    kinds: {
      passwordChanged: 'Vous avez changé votre mot de passe.',
      addressChanged:
        'Vous avez changé votre adresse e-mail. Les e-mails sur votre compte vont à la nouvelle.',
      secondFactorAdded: 'Vous avez configuré un second facteur.',
      secondFactorRemoved: 'Vous avez retiré votre second facteur.',
      passkeyAdded: 'Vous avez ajouté une clé d’accès. Elle connecte à votre compte.',
      passkeyRemoved: 'Vous avez retiré une clé d’accès.',
      identityLinked:
        'Vous avez lié un compte d’un autre service, avec lequel vous pouvez maintenant vous connecter.',
      identityUnlinked: 'Vous avez retiré un compte d’un autre service de votre connexion.',
      recoveryCodesMade: 'Vous avez obtenu de nouveaux codes de secours. Les anciens ne servent plus.',
      recoveryCodeUsed: 'Un code de secours a servi à une connexion.',
      passwordSet: 'Un administrateur a défini ou retiré votre mot de passe.',
      passwordChangeRequired:
        'Un administrateur vous demande un nouveau mot de passe à votre prochaine connexion.',
      linkMade: 'Un administrateur a créé un lien qui définit votre mot de passe.',
      addressReplaced:
        'Un administrateur a changé votre adresse e-mail. Les e-mails sur votre compte vont à la nouvelle.',
      secondFactorGiven: 'Un administrateur a configuré un second facteur pour vous.',
      secondFactorTaken: 'Un administrateur a retiré votre second facteur.',
      passkeyTaken: 'Un administrateur a retiré une de vos clés d’accès.',
      identityTaken: 'Un administrateur a retiré un compte d’un autre service de votre connexion.',
      domainFailing:
        'L’enregistrement DNS qui prouve un domaine de votre organisation manque. S’il manque encore dans une semaine, le domaine ne compte plus.',
      domainLapsed:
        'Un domaine de votre organisation ne compte plus, car son enregistrement DNS a manqué pendant une semaine.',
      recoveryCodesReplaced: 'Un administrateur a créé de nouveaux codes de secours pour vous.',
      accessRecovered: "L'exploitant du service a créé un lien qui rend l'accès à votre compte.",
      sessionsEnded: 'Un administrateur vous a déconnecté.',
      deactivated: 'Un administrateur a désactivé votre compte.',
      reactivated: 'Un administrateur a réactivé votre compte.',
      connectionEnds:
        'Le secret ou le certificat d’une connexion de votre organisation expire dans les 30 jours. Renouvelez-le chez le fournisseur, puis dans la console sous Connexions.',
    },
    newBrowser: (browser, system) =>
      `Quelqu'un s'est connecté dans un navigateur nouveau pour votre compte : ${browser}, ${system}.`,
    unknownBrowser: 'un navigateur inconnu',
    unknownSystem: 'un système inconnu',
    address: (address) => `Adresse réseau : ${address}`,
    times: (count) => `${count} fois, la dernière :`,
    more: (count) => `Et ${count} autres connexions dans de nouveaux navigateurs.`,
    button: 'Ouvrir votre compte',
    warning:
      "Si vous n'avez ni fait ni attendu cela, changez immédiatement votre mot de passe et prévenez votre administrateur.",
  },
};
