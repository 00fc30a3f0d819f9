import type { MailTexts } from './shape.js';

/** Spanish. */
export const es: MailTexts = {
  hello: 'Hola:',
  orOpen: 'O abra esta dirección:',
  sentBy: (host) => `Enviado por ${host}`,
  reset: {
    subject: 'Restablezca su contraseña',
    text: (organization) =>
      `Alguien ha pedido un enlace para establecer una contraseña nueva para su cuenta en ${organization}.`,
    button: 'Establecer una contraseña nueva',
    valid: 'El enlace sirve una vez, durante 24 horas.',
    ignore: 'Si no lo ha pedido, ignore este correo. Su contraseña no cambia.',
  },
  confirm: {
    subject: 'Confirme su correo electrónico',
    text: (host) =>
      `Escriba este código en la página de su cuenta en ${host} para confirmar esta dirección de correo:`,
    valid: 'El código vale 15 minutos.',
    ignore: 'Si no lo ha pedido, ignore este correo. No dé el código a nadie.',
  },
  changed: {
    subject: 'Su correo electrónico ha cambiado',
    text: (organization) =>
      `Su cuenta en ${organization} tiene ahora otra dirección de correo. En esta dirección ya no recibirá correos sobre ella.`,
    warning: 'Si no fue usted, avise enseguida a su administrador.',
  },
};
