import type { GroupsTexts } from './shape.js';

/** French. */
export const fr: GroupsTexts = {
  about:
    "Les applications apprennent les groupes d'un utilisateur. Un groupe peut aussi donner des rôles à ses membres.",
  add: 'Ajouter un groupe',
  searchLabel: 'Le nom commence par',
  none: "Aucun groupe pour l'instant. Ajoutez-en un ici, ou laissez un client de provisionnement les créer.",
  noMatch: 'Aucun groupe ne commence ainsi.',
  rename: 'Renommer',
  remove: 'Supprimer',
  removeText: 'Le groupe est supprimé. Ses membres restent, mais perdent les rôles que le groupe donne.',
  memberCount: (count) => `Membres : ${count}`,
  moreThan: (count) => `plus de ${count}`,
  members: 'Membres',
  noMembers: "Le groupe n'a pas encore de membres. Cherchez un utilisateur pour l'ajouter.",
  addMember: 'Ajouter un membre',
  removeMember: 'Retirer',
  noUserFound: 'Personne ne correspond.',
  roles: 'Rôles des membres',
  rolesHint: 'Chaque membre a ces rôles dans cette organisation.',
  saveRoles: 'Définir les rôles',
  conflict: (name) =>
    `Le groupe a été modifié pendant que le formulaire était ouvert. Rien n'a été enregistré. Son nom est maintenant : ${name}`,
  done: {
    added: 'Le groupe a été ajouté.',
    renamed: 'Le groupe porte le nouveau nom.',
    deleted: 'Le groupe a été supprimé.',
    memberAdded: 'Le membre a été ajouté.',
    memberRemoved: 'Le membre a été retiré.',
    rolesSet: 'Les rôles sont définis.',
  },
};
