import type { StartTexts } from './shape.js';

/** Spanish. */
export const es: StartTexts = {
  welcome: (name) => `Hola, ${name}`,
  aboutInstance: 'Lo que pasa en este servicio.',
  aboutOrganization: 'Lo que pasa en su organización.',
  attention: 'Requiere atención',
  nothing: 'Nada requiere su atención.',
  running: 'En curso',
  nothingRuns: 'No hay nada en curso.',
  happened: 'Qué pasó',
  noRole: 'No tiene ningún rol aquí, así que no hay nada que administrar. Su cuenta tiene su propia página.',
  yourUsers: 'Puede ver o gestionar los usuarios de:',
  firstSteps: {
    title: 'Primeros pasos',
    about: 'Esta lista desaparece cuando todo está hecho.',
    done: 'hecho',
    people: {
      label: 'Añadir personas',
      hint: 'A mano, desde un archivo o desde un sistema que conecte en Aprovisionamiento.',
    },
    application: {
      label: 'Añadir una aplicación',
      hint: 'Las personas inician sesión en ella. Puede probar el inicio de sesión enseguida.',
    },
    owner: {
      label: 'Dar el rol de propietario a otra persona',
      hint: 'Así nadie se queda fuera si usted pierde su contraseña o su teléfono.',
    },
    secondFactor: {
      label: 'Configurar su segundo factor',
      hint: 'Un código de su teléfono protege la cuenta más poderosa.',
    },
  },
  kinds: {
    locked: 'Bloqueado',
    failedJob: 'Tarea fallida',
    expiring: 'Un secreto o token caduca',
    expired: 'Un secreto o token ha caducado',
    oldKey: 'Clave de firma antigua',
  },
};
