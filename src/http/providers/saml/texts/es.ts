import type { SamlStepTexts } from './en.js';

/** Spanish. */
export const es: SamlStepTexts = {
  open: 'En {page}, abra {open}.',
  openOther: 'Añada en el proveedor una aplicación para SAML 2.0.',
  enter: 'Introduzca los dos valores de arriba bajo los nombres que tienen allí.',
  set: 'En {where}: {what}',
  address: 'Copie la dirección de los metadatos en este formulario: {name}',
  file: 'Guarde los metadatos en un archivo y elíjalo en este formulario: {name}',
};
