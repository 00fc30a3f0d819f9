import type { ErrorTexts } from './shape.js';

/** Spanish. */
export const es: ErrorTexts = {
  kinds: {
    signIn: {
      title: 'Esta solicitud de inicio de sesión no es válida.',
      text: 'Vuelva a la aplicación y empiece de nuevo. Si vuelve a ocurrir, contacte con el soporte.',
    },
    signOut: {
      title: 'Esta solicitud de cierre de sesión no es válida.',
      text: 'Puede cerrar la sesión en la página de su cuenta.',
    },
    request: {
      title: 'Esta solicitud no es válida.',
      text: 'Vuelva atrás y empiece de nuevo. Si vuelve a ocurrir, contacte con el soporte.',
    },
    notFound: { title: 'Aquí no hay nada', text: 'No hay ninguna página en esta dirección.' },
    tooMany: { title: 'Demasiados intentos', text: 'Espere un momento e inténtelo de nuevo.' },
    unavailable: {
      title: 'No disponible',
      text: 'No podemos responder en este momento. Inténtelo de nuevo en un momento.',
    },
    fault: { title: 'Algo ha fallado.', text: 'Si vuelve a ocurrir, contacte con el soporte.' },
  },
  developer: 'Para el desarrollador de la aplicación',
  guide: 'La guía: cuando falla un inicio de sesión',
  problem: 'Problema',
  account: 'Ir a su cuenta',
  again: 'Intentar de nuevo',
};
