import type { Language } from '#src/http/pages/language.js';

/** The texts of the pages about groups. */
interface GroupsTexts {
  readonly about: string;
  readonly add: string;
  readonly searchLabel: string;
  readonly none: string;
  readonly noMatch: string;
  readonly rename: string;
  readonly remove: string;
  readonly removeText: string;
  readonly memberCount: (count: string) => string;
  readonly moreThan: (count: number) => string;
  readonly members: string;
  readonly noMembers: string;
  readonly addMember: string;
  readonly removeMember: string;
  readonly noUserFound: string;
  readonly roles: string;
  readonly rolesHint: string;
  readonly saveRoles: string;
  readonly conflict: (name: string) => string;
  readonly done: Readonly<Record<GroupDone, string>>;
}

export type GroupDone = 'added' | 'renamed' | 'deleted' | 'memberAdded' | 'memberRemoved' | 'rolesSet';

/** A missing text is a type error. */
export const groupsTexts: Readonly<Record<Language, GroupsTexts>> = {
  en: {
    about: 'Applications learn the groups of a user. A group can also give its members roles.',
    add: 'Add a group',
    searchLabel: 'The name begins with',
    none: 'No group yet. Add one here, or let a provisioning client create them.',
    noMatch: 'No group begins with this.',
    rename: 'Rename',
    remove: 'Delete',
    removeText: 'The group is destroyed. Its members stay, but lose the roles that the group gives.',
    memberCount: (count) => `Members: ${count}`,
    moreThan: (count) => `more than ${count}`,
    members: 'Members',
    noMembers: 'The group has no members yet. Search a user to add one.',
    addMember: 'Add a member',
    removeMember: 'Remove',
    noUserFound: 'Nobody is found.',
    roles: 'Roles of the members',
    rolesHint: 'Every member has these roles in this organization.',
    saveRoles: 'Set the roles',
    conflict: (name) =>
      `The group was changed while you had the form open. Nothing was saved. Its name is now: ${name}`,
    done: {
      added: 'The group was added.',
      renamed: 'The group has the new name.',
      deleted: 'The group was deleted.',
      memberAdded: 'The member was added.',
      memberRemoved: 'The member was removed.',
      rolesSet: 'The roles are set.',
    },
  },
  de: {
    about:
      'Anwendungen erfahren die Gruppen eines Benutzers. Eine Gruppe kann ihren Mitgliedern auch Rollen geben.',
    add: 'Gruppe anlegen',
    searchLabel: 'Der Name beginnt mit',
    none: 'Noch keine Gruppe. Legen Sie hier eine an, oder lassen Sie sie von einem Provisionierungs-Client anlegen.',
    noMatch: 'Keine Gruppe beginnt so.',
    rename: 'Umbenennen',
    remove: 'Löschen',
    removeText:
      'Die Gruppe wird gelöscht. Die Mitglieder bleiben, verlieren aber die Rollen, die die Gruppe gibt.',
    memberCount: (count) => `Mitglieder: ${count}`,
    moreThan: (count) => `mehr als ${count}`,
    members: 'Mitglieder',
    noMembers: 'Die Gruppe hat noch keine Mitglieder. Suchen Sie einen Benutzer, um ihn hinzuzufügen.',
    addMember: 'Mitglied hinzufügen',
    removeMember: 'Entfernen',
    noUserFound: 'Niemand gefunden.',
    roles: 'Rollen der Mitglieder',
    rolesHint: 'Jedes Mitglied hat diese Rollen in dieser Organisation.',
    saveRoles: 'Rollen setzen',
    conflict: (name) =>
      `Die Gruppe wurde geändert, während Sie das Formular offen hatten. Es wurde nichts gespeichert. Sie heißt jetzt: ${name}`,
    done: {
      added: 'Die Gruppe wurde angelegt.',
      renamed: 'Die Gruppe hat den neuen Namen.',
      deleted: 'Die Gruppe wurde gelöscht.',
      memberAdded: 'Das Mitglied wurde hinzugefügt.',
      memberRemoved: 'Das Mitglied wurde entfernt.',
      rolesSet: 'Die Rollen sind gesetzt.',
    },
  },
  fr: {
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
  },
  es: {
    about:
      'Las aplicaciones conocen los grupos de un usuario. Un grupo también puede dar roles a sus miembros.',
    add: 'Añadir un grupo',
    searchLabel: 'El nombre empieza por',
    none: 'Todavía no hay grupos. Añada uno aquí o deje que un cliente de aprovisionamiento los cree.',
    noMatch: 'Ningún grupo empieza así.',
    rename: 'Cambiar el nombre',
    remove: 'Eliminar',
    removeText: 'El grupo se elimina. Sus miembros permanecen, pero pierden los roles que da el grupo.',
    memberCount: (count) => `Miembros: ${count}`,
    moreThan: (count) => `más de ${count}`,
    members: 'Miembros',
    noMembers: 'El grupo todavía no tiene miembros. Busque un usuario para añadirlo.',
    addMember: 'Añadir un miembro',
    removeMember: 'Quitar',
    noUserFound: 'No se ha encontrado a nadie.',
    roles: 'Roles de los miembros',
    rolesHint: 'Cada miembro tiene estos roles en esta organización.',
    saveRoles: 'Establecer los roles',
    conflict: (name) =>
      `El grupo se modificó mientras el formulario estaba abierto. No se ha guardado nada. Ahora se llama: ${name}`,
    done: {
      added: 'El grupo se ha añadido.',
      renamed: 'El grupo tiene el nuevo nombre.',
      deleted: 'El grupo se ha eliminado.',
      memberAdded: 'El miembro se ha añadido.',
      memberRemoved: 'El miembro se ha quitado.',
      rolesSet: 'Los roles están establecidos.',
    },
  },
  it: {
    about: 'Le applicazioni conoscono i gruppi di un utente. Un gruppo può anche dare ruoli ai suoi membri.',
    add: 'Aggiungi un gruppo',
    searchLabel: 'Il nome inizia con',
    none: 'Ancora nessun gruppo. Ne aggiunga uno qui, o lasci che un client di provisioning li crei.',
    noMatch: 'Nessun gruppo inizia così.',
    rename: 'Rinomina',
    remove: 'Elimina',
    removeText: 'Il gruppo viene eliminato. I membri restano, ma perdono i ruoli che il gruppo dà.',
    memberCount: (count) => `Membri: ${count}`,
    moreThan: (count) => `più di ${count}`,
    members: 'Membri',
    noMembers: 'Il gruppo non ha ancora membri. Cerchi un utente per aggiungerlo.',
    addMember: 'Aggiungi un membro',
    removeMember: 'Rimuovi',
    noUserFound: 'Nessun risultato.',
    roles: 'Ruoli dei membri',
    rolesHint: 'Ogni membro ha questi ruoli in questa organizzazione.',
    saveRoles: 'Imposta i ruoli',
    conflict: (name) =>
      `Il gruppo è stato modificato mentre il modulo era aperto. Nulla è stato salvato. Ora si chiama: ${name}`,
    done: {
      added: 'Il gruppo è stato aggiunto.',
      renamed: 'Il gruppo ha il nuovo nome.',
      deleted: 'Il gruppo è stato eliminato.',
      memberAdded: 'Il membro è stato aggiunto.',
      memberRemoved: 'Il membro è stato rimosso.',
      rolesSet: 'I ruoli sono impostati.',
    },
  },
};
