import type { Language } from '#src/http/pages/language.js';

/** The texts of mail. The names of an organization come from the organization of the person alone. */
interface MailTexts {
  readonly hello: string;
  /** Below a button, before its address. */
  readonly orOpen: string;
  readonly sentBy: (host: string) => string;
  /** A link with which a person sets a password. */
  readonly reset: {
    readonly subject: string;
    readonly text: (organization: string) => string;
    readonly button: string;
    readonly valid: string;
    readonly ignore: string;
  };
  /** A code that confirms an address. Its receiver may be a stranger. */
  readonly confirm: {
    readonly subject: string;
    readonly text: (host: string) => string;
    readonly valid: string;
    readonly ignore: string;
  };
  /** Tells the former address that it was replaced. */
  readonly changed: {
    readonly subject: string;
    readonly text: (organization: string) => string;
    readonly warning: string;
  };
}

export const mailTexts: Readonly<Record<Language, MailTexts>> = {
  en: {
    hello: 'Hello,',
    orOpen: 'Or open this address:',
    sentBy: (host) => `Sent by ${host}`,
    reset: {
      subject: 'Reset your password',
      text: (organization) =>
        `Somebody asked for a link to set a new password for your account at ${organization}.`,
      button: 'Set a new password',
      valid: 'The link works once, within 24 hours.',
      ignore: 'If you did not ask for it, ignore this mail. Your password stays as it is.',
    },
    confirm: {
      subject: 'Confirm your e-mail address',
      text: (host) => `Enter this code on your account page at ${host} to confirm this e-mail address:`,
      valid: 'The code works for 15 minutes.',
      ignore: 'If you did not ask for it, ignore this mail. Do not give the code to anyone.',
    },
    changed: {
      subject: 'Your e-mail address was changed',
      text: (organization) =>
        `Your account at ${organization} has another e-mail address now. You will get no more mail about it at this address.`,
      warning: 'If it was not you, tell your administrator at once.',
    },
  },
  de: {
    hello: 'Guten Tag,',
    orOpen: 'Oder öffnen Sie diese Adresse:',
    sentBy: (host) => `Gesendet von ${host}`,
    reset: {
      subject: 'Passwort zurücksetzen',
      text: (organization) =>
        `Jemand hat einen Link angefordert, um für Ihr Konto bei ${organization} ein neues Passwort zu setzen.`,
      button: 'Neues Passwort setzen',
      valid: 'Der Link gilt einmal, innerhalb von 24 Stunden.',
      ignore:
        'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
    },
    confirm: {
      subject: 'E-Mail-Adresse bestätigen',
      text: (host) =>
        `Geben Sie diesen Code auf Ihrer Kontoseite bei ${host} ein, um diese E-Mail-Adresse zu bestätigen:`,
      valid: 'Der Code gilt 15 Minuten.',
      ignore:
        'Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail. Geben Sie den Code niemandem weiter.',
    },
    changed: {
      subject: 'Ihre E-Mail-Adresse wurde geändert',
      text: (organization) =>
        `Ihr Konto bei ${organization} hat jetzt eine andere E-Mail-Adresse. An diese Adresse bekommen Sie dazu keine E-Mails mehr.`,
      warning: 'Wenn Sie das nicht waren, melden Sie es sofort Ihrer Administration.',
    },
  },
  fr: {
    hello: 'Bonjour,',
    orOpen: 'Ou ouvrez cette adresse :',
    sentBy: (host) => `Envoyé par ${host}`,
    reset: {
      subject: 'Réinitialiser votre mot de passe',
      text: (organization) =>
        `Quelqu'un a demandé un lien pour définir un nouveau mot de passe pour votre compte chez ${organization}.`,
      button: 'Définir un nouveau mot de passe',
      valid: 'Le lien sert une fois, pendant 24 heures.',
      ignore: "Si vous ne l'avez pas demandé, ignorez cet e-mail. Votre mot de passe ne change pas.",
    },
    confirm: {
      subject: 'Confirmer votre adresse e-mail',
      text: (host) =>
        `Saisissez ce code sur la page de votre compte chez ${host} pour confirmer cette adresse e-mail :`,
      valid: 'Le code est valable 15 minutes.',
      ignore: "Si vous ne l'avez pas demandé, ignorez cet e-mail. Ne donnez le code à personne.",
    },
    changed: {
      subject: 'Votre adresse e-mail a été changée',
      text: (organization) =>
        `Votre compte chez ${organization} a maintenant une autre adresse e-mail. Vous ne recevrez plus d'e-mails à son sujet à cette adresse.`,
      warning: "Si ce n'était pas vous, prévenez immédiatement votre administrateur.",
    },
  },
  es: {
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
  },
  it: {
    hello: 'Buongiorno,',
    orOpen: 'Oppure apra questo indirizzo:',
    sentBy: (host) => `Inviato da ${host}`,
    reset: {
      subject: 'Reimposti la password',
      text: (organization) =>
        `È stato chiesto un link per impostare una nuova password per il suo account presso ${organization}.`,
      button: 'Imposta una nuova password',
      valid: 'Il link vale una volta, per 24 ore.',
      ignore: 'Se non l’ha chiesto, ignori questa e-mail. La password resta com’è.',
    },
    confirm: {
      subject: 'Confermi il suo indirizzo e-mail',
      text: (host) =>
        `Inserisca questo codice nella pagina del suo account presso ${host} per confermare questo indirizzo e-mail:`,
      valid: 'Il codice vale 15 minuti.',
      ignore: 'Se non l’ha chiesto, ignori questa e-mail. Non dia il codice a nessuno.',
    },
    changed: {
      subject: 'Il suo indirizzo e-mail è stato cambiato',
      text: (organization) =>
        `Il suo account presso ${organization} ha ora un altro indirizzo e-mail. A questo indirizzo non riceverà più e-mail che lo riguardano.`,
      warning: 'Se non è stato lei, avvisi subito l’amministratore.',
    },
  },
};
