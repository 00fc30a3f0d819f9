import type { ServiceUsersTexts } from './en.js';

/** French. */
export const fr: ServiceUsersTexts = {
  about: "Programmes qui appellent SCIM ou l'API d'administration.",
  add: 'Ajouter un utilisateur de service',
  none: 'Aucun utilisateur de service. Ajoutez-en un par programme.',
  state: 'État',
  userName: "Nom d'utilisateur",
  userNameHint: "Avec un secret, c'est aussi un identifiant client.",
  nameHint: 'Pour les personnes, par exemple le nom du programme.',
  role: 'Rôle',
  noRole: "Aucun rôle pour l'instant",
  description: 'Description',
  activate: 'Activer',
  deactivate: 'Désactiver',
  ignorePasswords: "Ignorer les mots de passe qu'il envoie",
  ignorePasswordsHint: 'Pour les clients qui envoient des mots de passe aléatoires, comme Okta.',
  plainScimErrors: 'Erreurs SCIM simples',
  plainScimErrorsHint: 'Les erreurs ne contiennent que ce que nomme la RFC 7644.',
  addresses: "Adresses de l'organisation",
  addressesHint:
    'Un programme interroge la dernière pour obtenir des messages signés sur les utilisateurs et groupes modifiés (RFC 9967).',
  securityEvents: "Jetons d'événements de sécurité",
  removeTitle: "Supprimer l'utilisateur de service",
  removeText: 'Le programme sera refusé. Ses identifiants et ses rôles sont supprimés avec lui.',
};
