import type { FastifyReply } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import type { PageLook } from '#src/http/pages/page-frame.js';
import { sendPostingPage } from '#src/http/pages/posting-page.js';
import type { FormParameters } from '../protocol/parameters.js';

const texts: Record<Language, { title: string; text: string; go: string }> = {
  en: { title: 'One moment', text: 'The request of the application is being read.', go: 'Continue' },
  de: { title: 'Einen Moment', text: 'Die Anfrage der Anwendung wird gelesen.', go: 'Weiter' },
  fr: { title: 'Un instant', text: "La demande de l'application est en cours de lecture.", go: 'Continuer' },
  es: { title: 'Un momento', text: 'Se está leyendo la solicitud de la aplicación.', go: 'Continuar' },
  it: { title: 'Un momento', text: "Lettura della richiesta dell'applicazione in corso.", go: 'Continua' },
};

/**
 * The page that posts a form to this service again, with the cookie of the browser. The browser names this service as the origin of the form.
 */
export function sendAgainPage(
  reply: FastifyReply,
  look: PageLook,
  { address, fields }: { address: string; fields: FormParameters },
): FastifyReply {
  return sendPostingPage(reply, look, { texts: texts[look.language], address, fields, namesOrigin: true });
}
