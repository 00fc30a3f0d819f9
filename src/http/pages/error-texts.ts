import type { Language } from './language.js';

/** What went wrong, in the categories that matter to the person who sees the page. */
export type PageErrorKind =
  | 'signIn'
  | 'signOut'
  | 'request'
  | 'notFound'
  | 'tooMany'
  | 'unavailable'
  | 'fault';

interface ErrorTexts {
  readonly kinds: Readonly<Record<PageErrorKind, { readonly title: string; readonly text: string }>>;
  /** Above what only the developer of the application understands. */
  readonly developer: string;
  readonly problem: string;
  readonly account: string;
  readonly again: string;
}

export const errorTexts: Readonly<Record<Language, ErrorTexts>> = {
  en: {
    kinds: {
      signIn: {
        title: 'This sign-in request is invalid.',
        text: 'Go back to the application and start again. If it happens again, contact support.',
      },
      signOut: {
        title: 'This sign-out request is invalid.',
        text: 'You can sign out on your account page.',
      },
      request: {
        title: 'This request is invalid.',
        text: 'Go back and start again. If it happens again, contact support.',
      },
      notFound: { title: 'Nothing here', text: 'There is no page at this address.' },
      tooMany: { title: 'Too many attempts', text: 'Wait a moment, then try again.' },
      unavailable: { title: 'Not available', text: 'We cannot answer right now. Try again in a moment.' },
      fault: { title: 'Something went wrong.', text: 'If it happens again, contact support.' },
    },
    developer: 'For the developer of the application',
    problem: 'Problem',
    account: 'Go to your account',
    again: 'Try again',
  },
  de: {
    kinds: {
      signIn: {
        title: 'Diese Anmeldeanfrage ist ungültig.',
        text: 'Gehen Sie zurück zur Anwendung und beginnen Sie neu. Wenn es wieder passiert, wenden Sie sich an den Support.',
      },
      signOut: {
        title: 'Diese Abmeldeanfrage ist ungültig.',
        text: 'Auf Ihrer Kontoseite können Sie sich abmelden.',
      },
      request: {
        title: 'Diese Anfrage ist ungültig.',
        text: 'Gehen Sie zurück und beginnen Sie neu. Wenn es wieder passiert, wenden Sie sich an den Support.',
      },
      notFound: { title: 'Hier ist nichts', text: 'Unter dieser Adresse gibt es keine Seite.' },
      tooMany: {
        title: 'Zu viele Versuche',
        text: 'Warten Sie einen Moment und versuchen Sie es dann noch einmal.',
      },
      unavailable: {
        title: 'Nicht verfügbar',
        text: 'Wir können gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
      },
      fault: {
        title: 'Etwas ist schiefgegangen.',
        text: 'Wenn es wieder passiert, wenden Sie sich an den Support.',
      },
    },
    developer: 'Für die Entwickler der Anwendung',
    problem: 'Problem',
    account: 'Zu Ihrem Konto',
    again: 'Noch einmal versuchen',
  },
  fr: {
    kinds: {
      signIn: {
        title: "Cette demande de connexion n'est pas valide.",
        text: "Retournez à l'application et recommencez. Si cela se reproduit, contactez l'assistance.",
      },
      signOut: {
        title: "Cette demande de déconnexion n'est pas valide.",
        text: 'Vous pouvez vous déconnecter sur la page de votre compte.',
      },
      request: {
        title: "Cette demande n'est pas valide.",
        text: "Revenez en arrière et recommencez. Si cela se reproduit, contactez l'assistance.",
      },
      notFound: { title: 'Rien ici', text: "Il n'y a pas de page à cette adresse." },
      tooMany: { title: 'Trop de tentatives', text: 'Attendez un instant, puis réessayez.' },
      unavailable: {
        title: 'Indisponible',
        text: 'Nous ne pouvons pas répondre pour le moment. Réessayez dans un instant.',
      },
      fault: {
        title: "Une erreur s'est produite.",
        text: "Si elle se reproduit, contactez l'assistance.",
      },
    },
    developer: "Pour le développeur de l'application",
    problem: 'Problème',
    account: 'Aller à votre compte',
    again: 'Réessayer',
  },
  es: {
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
    problem: 'Problema',
    account: 'Ir a su cuenta',
    again: 'Intentar de nuevo',
  },
  it: {
    kinds: {
      signIn: {
        title: 'Questa richiesta di accesso non è valida.',
        text: 'Torni all’applicazione e ricominci. Se succede di nuovo, contatti l’assistenza.',
      },
      signOut: {
        title: 'Questa richiesta di uscita non è valida.',
        text: 'Può uscire nella pagina del suo account.',
      },
      request: {
        title: 'Questa richiesta non è valida.',
        text: 'Torni indietro e ricominci. Se succede di nuovo, contatti l’assistenza.',
      },
      notFound: { title: 'Qui non c’è nulla', text: 'A questo indirizzo non c’è alcuna pagina.' },
      tooMany: { title: 'Troppi tentativi', text: 'Attenda un momento e riprovi.' },
      unavailable: {
        title: 'Non disponibile',
        text: 'Al momento non possiamo rispondere. Riprovi tra poco.',
      },
      fault: { title: 'Qualcosa è andato storto.', text: 'Se succede di nuovo, contatti l’assistenza.' },
    },
    developer: 'Per lo sviluppatore dell’applicazione',
    problem: 'Problema',
    account: 'Vai al suo account',
    again: 'Riprova',
  },
};
