import type { GroupsTexts } from './shape.js';

/** German. */
export const de: GroupsTexts = {
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
};
