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
  signInCode: (host) =>
    `Escriba este código en la página donde inicia sesión en ${host} para confirmar esta dirección de correo:`,
  factor: {
    subject: 'Su código para iniciar sesión',
    text: (host) => `Escriba este código en la página donde inicia sesión en ${host}:`,
    valid: 'El código vale una vez, durante 15 minutos y solo en el navegador que lo pidió.',
    ignore:
      'Si no lo ha pedido, puede que alguien conozca su contraseña. Cámbiela enseguida. No dé el código a nadie.',
  },
  signInLink: {
    subject: 'Su enlace para iniciar sesión',
    text: (host) => `Abra este enlace para iniciar sesión en su cuenta en ${host}:`,
    button: 'Iniciar sesión',
    valid: 'El enlace vale una vez, durante 15 minutos y solo en el navegador que lo pidió.',
    ignore: 'Si no lo ha pedido, ignore este correo. No dé el enlace a nadie.',
  },
  notice: {
    subject: 'Aviso de seguridad sobre su cuenta',
    text: (host) => `Esto ha ocurrido con su cuenta en ${host}:`,
    kinds: {
      passwordChanged: 'Usted cambió su contraseña.',
      addressChanged: 'Usted cambió su dirección de correo. Los correos sobre su cuenta van a la nueva.',
      secondFactorAdded: 'Usted configuró un segundo factor.',
      secondFactorRemoved: 'Usted eliminó su segundo factor.',
      passkeyAdded: 'Usted añadió una llave de acceso. Con ella se inicia sesión en su cuenta.',
      passkeyRemoved: 'Usted quitó una llave de acceso.',
      identityLinked: 'Usted vinculó una cuenta de otro servicio, con la que ahora puede iniciar sesión.',
      identityUnlinked: 'Usted quitó una cuenta de otro servicio de su inicio de sesión.',
      recoveryCodesMade: 'Usted obtuvo códigos de recuperación nuevos. Los anteriores ya no sirven.',
      recoveryCodeUsed: 'Se usó un código de recuperación para iniciar sesión.',
      passwordSet: 'Un administrador estableció o eliminó su contraseña.',
      passwordChangeRequired: 'Un administrador le pide una contraseña nueva en su próximo inicio de sesión.',
      linkMade: 'Un administrador creó un enlace que establece su contraseña.',
      addressReplaced:
        'Un administrador cambió su dirección de correo. Los correos sobre su cuenta van a la nueva.',
      secondFactorGiven: 'Un administrador configuró un segundo factor para usted.',
      secondFactorTaken: 'Un administrador eliminó su segundo factor.',
      passkeyTaken: 'Un administrador quitó una de sus llaves de acceso.',
      identityTaken: 'Un administrador quitó una cuenta de otro servicio de su inicio de sesión.',
      domainFailing:
        'Falta el registro DNS que acredita un dominio de su organización. Si dentro de una semana sigue faltando, el dominio dejará de contar.',
      domainLapsed:
        'Un dominio de su organización ya no cuenta, porque su registro DNS faltó durante una semana.',
      recoveryCodesReplaced: 'Un administrador creó códigos de recuperación nuevos para usted.',
      accessRecovered: 'El operador del servicio creó un enlace que devuelve el acceso a su cuenta.',
      sessionsEnded: 'Un administrador cerró su sesión.',
      deactivated: 'Un administrador desactivó su cuenta.',
      reactivated: 'Un administrador reactivó su cuenta.',
      connectionEnds:
        'El secreto o el certificado de una conexión de su organización caduca en los próximos 30 días. Renuévelo en el proveedor y después en la consola, en Conexiones.',
    },
    newBrowser: (browser, system) =>
      `Alguien inició sesión en un navegador que es nuevo para su cuenta: ${browser}, ${system}.`,
    unknownBrowser: 'un navegador desconocido',
    unknownSystem: 'un sistema desconocido',
    address: (address) => `Dirección de red: ${address}`,
    times: (count) => `${count} veces, la última:`,
    more: (count) => `Y otros ${count} inicios de sesión en navegadores nuevos.`,
    button: 'Abrir su cuenta',
    warning: 'Si usted no lo hizo ni lo esperaba, cambie enseguida su contraseña y avise a su administrador.',
  },
};
