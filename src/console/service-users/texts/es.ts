import type { ServiceUsersTexts } from './en.js';

/** Spanish. */
export const es: ServiceUsersTexts = {
  about: 'Programas que llaman a SCIM o a la API de administración.',
  add: 'Añadir un usuario de servicio',
  none: 'Todavía no hay usuarios de servicio. Añada uno por programa.',
  state: 'Estado',
  userName: 'Nombre de usuario',
  userNameHint: 'Con un secreto, también es un ID de cliente.',
  nameHint: 'Para las personas, por ejemplo el nombre del programa.',
  role: 'Rol',
  noRole: 'Todavía sin rol',
  description: 'Descripción',
  activate: 'Activar',
  deactivate: 'Desactivar',
  ignorePasswords: 'Descartar las contraseñas que envía',
  ignorePasswordsHint: 'Para clientes que envían contraseñas aleatorias, como Okta.',
  plainScimErrors: 'Errores SCIM simples',
  plainScimErrorsHint: 'Los errores solo tienen lo que nombra la RFC 7644.',
  addresses: 'Direcciones de la organización',
  addressesHint:
    'Un programa consulta la última para obtener mensajes firmados sobre usuarios y grupos modificados (RFC 9967).',
  securityEvents: 'Tokens de eventos de seguridad',
  removeTitle: 'Eliminar el usuario de servicio',
  removeText: 'El programa será rechazado. Sus credenciales y roles se eliminan con él.',
};
