import type { FastifyReply } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import type { HttpExchange } from '../http-exchange.js';
import { prepareErrorReply } from '../problem.js';
import { html } from './html.js';
import { type Language, pageLanguage } from './language.js';
import { type PageLook, showPage } from './page-frame.js';

/** What went wrong, in the categories that matter to the person who sees the page. */
export type PageErrorKind = 'request' | 'notFound' | 'tooMany' | 'unavailable' | 'fault';

interface Texts {
  readonly title: string;
  readonly text: string;
}

const texts: Record<Language, Record<PageErrorKind, Texts>> = {
  en: {
    request: {
      title: 'This does not work',
      text: 'The request is not one that can be answered. Go back to the application and start again.',
    },
    notFound: { title: 'Nothing here', text: 'There is no page at this address.' },
    tooMany: { title: 'Too many attempts', text: 'Wait a little and try again.' },
    unavailable: {
      title: 'Not available',
      text: 'The service cannot answer at the moment. Try again shortly.',
    },
    fault: {
      title: 'Something went wrong',
      text: 'It is our fault. Try again; if it stays, tell the support.',
    },
  },
  de: {
    request: {
      title: 'Das geht nicht',
      text: 'Die Anfrage kann nicht beantwortet werden. Gehen Sie zurück zur Anwendung und beginnen Sie neu.',
    },
    notFound: { title: 'Hier ist nichts', text: 'Unter dieser Adresse gibt es keine Seite.' },
    tooMany: { title: 'Zu viele Versuche', text: 'Warten Sie etwas und versuchen Sie es noch einmal.' },
    unavailable: {
      title: 'Nicht verfügbar',
      text: 'Der Dienst kann gerade nicht antworten. Versuchen Sie es gleich noch einmal.',
    },
    fault: {
      title: 'Etwas ist schiefgegangen',
      text: 'Der Fehler liegt bei uns. Versuchen Sie es noch einmal; wenn er bleibt, melden Sie ihn.',
    },
  },
  fr: {
    request: {
      title: 'Cela ne fonctionne pas',
      text: "La demande ne peut pas être traitée. Retournez à l'application et recommencez.",
    },
    notFound: { title: 'Rien ici', text: "Il n'y a pas de page à cette adresse." },
    tooMany: { title: 'Trop de tentatives', text: 'Attendez un peu et réessayez.' },
    unavailable: {
      title: 'Indisponible',
      text: 'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
    },
    fault: {
      title: "Une erreur s'est produite",
      text: "L'erreur vient de nous. Réessayez ; si elle persiste, signalez-la.",
    },
  },
  es: {
    request: {
      title: 'Esto no funciona',
      text: 'La solicitud no se puede atender. Vuelva a la aplicación y empiece de nuevo.',
    },
    notFound: { title: 'Aquí no hay nada', text: 'No hay ninguna página en esta dirección.' },
    tooMany: { title: 'Demasiados intentos', text: 'Espere un poco e inténtelo de nuevo.' },
    unavailable: {
      title: 'No disponible',
      text: 'El servicio no puede responder en este momento. Inténtelo de nuevo en breve.',
    },
    fault: {
      title: 'Algo ha fallado',
      text: 'El error es nuestro. Inténtelo de nuevo; si continúa, avise al soporte.',
    },
  },
  it: {
    request: {
      title: 'Non funziona',
      text: "La richiesta non può essere soddisfatta. Torni all'applicazione e ricominci.",
    },
    notFound: { title: 'Qui non c’è nulla', text: 'A questo indirizzo non c’è alcuna pagina.' },
    tooMany: { title: 'Troppi tentativi', text: 'Attenda un momento e riprovi.' },
    unavailable: {
      title: 'Non disponibile',
      text: 'Il servizio al momento non può rispondere. Riprovi tra poco.',
    },
    fault: {
      title: 'Qualcosa è andato storto',
      text: "L'errore è nostro. Riprovi; se persiste, lo segnali all'assistenza.",
    },
  },
};

export interface ErrorPage {
  readonly kind: PageErrorKind;
  /** What exactly was wrong, untranslated, for the developer of the application. */
  readonly detail?: string;
}

/** Sends a page that says what went wrong and what the person can do. The caller sets the status. */
export function sendErrorPage(
  reply: FastifyReply,
  look: PageLook,
  { kind, detail }: ErrorPage,
): FastifyReply {
  const { title, text } = texts[look.language][kind];
  const content = html`<p>${text}</p>
${detail !== undefined && html`<p class="detail" lang="en"><code>${detail}</code></p>`}`;
  return showPage(reply, look, { title, content });
}

/** Answers any thrown error with a page, for scopes whose responses people see. */
export function answerErrorPage(
  thrown: unknown,
  { request, reply }: HttpExchange,
  look: Omit<PageLook, 'language'>,
): FastifyReply {
  const error = prepareErrorReply(request, reply, thrown);
  const kind = kindOf(reply.statusCode);
  const isOurs = thrown instanceof AppError && kind === 'request';
  const page = { kind, ...(isOurs && { detail: error.message }) };
  return sendErrorPage(reply, { ...look, language: pageLanguage(request) }, page);
}

function kindOf(status: number): PageErrorKind {
  if (status === 404) return 'notFound';
  if (status === 429) return 'tooMany';
  if (status === 503) return 'unavailable';
  return status >= 500 ? 'fault' : 'request';
}
