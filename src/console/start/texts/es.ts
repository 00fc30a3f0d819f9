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
  kinds: {
    locked: 'Bloqueado',
    failedJob: 'Tarea fallida',
    expiring: 'Un secreto o token caduca',
    expired: 'Un secreto o token ha caducado',
    oldKey: 'Clave de firma antigua',
  },
};
