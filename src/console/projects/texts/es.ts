import type { ProjectsTexts } from './en.js';

/** Spanish. */
export const es: ProjectsTexts = {
  about: 'Un proyecto es un grupo de aplicaciones que comparten una audiencia y roles.',
  add: 'Añadir un proyecto',
  none: 'Aún no hay proyectos.',
  tabs: {
    general: 'Resumen',
    roles: 'Roles',
    grants: 'Personas y programas',
    'group-grants': 'Grupos',
    members: 'Administradores',
  },
  type: 'Tipo',
  noApplications: 'Ninguna aplicación pertenece al proyecto.',
  applicationsHint:
    'Un token de una aplicación vale también para su proyecto. Cada API del proyecto lo acepta.',
  moreApplications: (count) => `Solo se muestran las primeras ${count}.`,
  organizations: 'Otras organizaciones, un identificador por línea',
  organizationsHint: 'Sus aplicaciones y programas pueden pedir tokens para este proyecto.',
  scope: 'Scope para un token para este proyecto',
  noRoles: 'Aún no hay roles.',
  rolesHint: 'Las aplicaciones reciben los roles de una persona como claims.',
  addRole: 'Añadir un rol',
  key: 'Clave',
  keyHint: 'Hasta 200 caracteres sin espacios, por ejemplo editor. No cambia.',
  displayName: 'Se muestra como',
  group: 'Grupo de roles',
  groupHint: 'Puede quedar vacío. Los roles con el mismo texto van juntos.',
  removeTitle: 'Eliminar el proyecto',
  removeText:
    'Sus roles y administradores se eliminan con él. Permanece mientras le pertenezcan aplicaciones o personas.',
  removeRoleTitle: 'Eliminar el rol',
  removeRoleText: 'Las aplicaciones ya no lo reciben. Permanece mientras lo tengan personas o grupos.',
  holders: { grants: 'Persona o programa', 'group-grants': 'Grupo', members: 'Persona o programa' },
  nobody: {
    grants: 'Nadie tiene un rol del proyecto a su nombre.',
    'group-grants': 'Ningún grupo tiene un rol del proyecto.',
    members: 'Nadie administra solo este proyecto. Lo hacen los propietarios de la organización.',
  },
  hints: {
    grants: 'Las aplicaciones del proyecto reciben estos roles como claims.',
    'group-grants': 'Cada miembro del grupo tiene estos roles, también quienes lleguen después.',
    members: 'Pueden leer o cambiar este proyecto con la API, y nada más de la organización.',
  },
  memberRoles: { PROJECT_OWNER: 'Cambia el proyecto', PROJECT_OWNER_VIEWER: 'Lee el proyecto' },
  program: 'programa',
  since: 'Desde',
  give: 'Dar roles',
  rolesFirst: 'El proyecto aún no tiene roles. Añada uno primero.',
  userNameHint:
    'El nombre de inicio de sesión de una persona, el nombre de usuario de un programa o un identificador.',
  groupNameHint: 'El nombre de un grupo o su identificador.',
  moreRoles: 'Otros roles, una clave por línea',
  removeAssignmentTitle: 'Quitar todos los roles',
  removeAssignmentText: 'Las aplicaciones no reciben ninguno de estos roles desde el próximo token.',
};
