import type { UserActionTexts } from './shape.js';

/** Spanish. */
export const es: UserActionTexts = {
  choose: 'Elegir',
  all: 'Todos los usuarios de esta lista, también los de otras páginas',
  allFound: 'Todos los que encuentra esta búsqueda, también los de otras páginas',
  withChosen: 'Con los usuarios elegidos:',
  nobody: 'Elija primero usuarios en la lista.',
  more: (count) => `y ${count} más`,
  title: {
    deactivate: 'Desactivar usuarios',
    reactivate: 'Reactivar usuarios',
    addToGroup: 'Añadir usuarios a un grupo',
    sendLinks: 'Enviar enlaces',
  },
  button: {
    deactivate: 'Desactivar',
    reactivate: 'Reactivar',
    addToGroup: 'Añadir a un grupo',
    sendLinks: 'Enviar enlaces',
  },
  ask: {
    deactivate: (count) =>
      `Usuarios: ${count}. ¿Desactivarlos? Ya no podrán iniciar sesión, y sus sesiones y tokens terminan.`,
    reactivate: (count) => `Usuarios: ${count}. ¿Reactivarlos? Podrán iniciar sesión de nuevo.`,
    addToGroup: (count) => `Usuarios: ${count}. ¿Añadirlos a un grupo? Reciben los roles del grupo.`,
    sendLinks: (count) =>
      `Usuarios: ${count}. ¿Enviar a cada uno un correo con un enlace que establece una contraseña nueva? Funciona una vez, durante 24 horas. Los enlaces anteriores dejan de funcionar.`,
  },
  group: 'Grupo',
  chooseGroup: 'Elija un grupo',
  groupHint: 'El nombre del grupo empieza por',
  noGroup: 'No hay ningún grupo así.',
  back: 'Volver a los usuarios',
  done: 'Hecho',
  unchanged: 'Nada que hacer',
  failed: 'No fue posible',
  error: 'Por qué',
  failures: 'Con estos usuarios no fue posible',
  lost: 'Ha perdido el derecho a hacerlo, así que el resto no se hizo.',
  errors: {
    'directory.userOutranksCaller': 'Este usuario tiene más derechos que usted.',
    'directory.userNotFound': 'El usuario se eliminó entretanto.',
    'directory.mailAddressMissing':
      'El usuario no está activo o no tiene una dirección de correo que pueda recibirlo.',
    'directory.mailsLimit': 'Este usuario ya recibió varios correos.',
    'directory.mailFailed': 'El servidor de correo no aceptó el correo.',
    'directory.requesterStays': 'Aquí no puede desactivarse a sí mismo.',
  },
  otherError: (id) => `Se rechazó: ${id}`,
  several: {
    withChosen: 'Con los elementos elegidos:',
    nothing: 'Elija primero algo en la lista.',
    left: 'Esto no fue posible. Todo lo demás está hecho.',
    confirmNumber: (count) => `Escriba el número para confirmar: ${count}`,
    otherNumber: 'Es otro número.',
    deleteGroups: {
      title: 'Eliminar grupos',
      button: 'Eliminar',
      ask: (count) =>
        `Grupos: ${count}. ¿Eliminarlos? Sus miembros permanecen, pero pierden los roles que dan estos grupos.`,
      done: 'Los grupos se eliminaron.',
    },
    deactivateApplications: {
      title: 'Desactivar aplicaciones',
      button: 'Desactivar',
      ask: (count) =>
        `Aplicaciones: ${count}. ¿Desactivarlas? Ya nadie podrá iniciar sesión en ellas, y sus tokens terminan.`,
      done: 'Las aplicaciones están desactivadas.',
    },
    activateApplications: {
      title: 'Activar aplicaciones',
      button: 'Activar',
      ask: (count) => `Aplicaciones: ${count}. ¿Activarlas? Se podrá iniciar sesión en ellas de nuevo.`,
      done: 'Las aplicaciones están activas.',
    },
  },
};
