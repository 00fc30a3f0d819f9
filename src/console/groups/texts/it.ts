import type { GroupsTexts } from './shape.js';

/** Italian. */
export const it: GroupsTexts = {
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
};
