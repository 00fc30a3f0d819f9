import type { GroupsTexts } from './shape.js';

/** Spanish. */
export const es: GroupsTexts = {
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
};
