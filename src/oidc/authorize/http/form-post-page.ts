import type { FastifyReply } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import type { PageLook } from '#src/http/pages/page-frame.js';
import { sendPostingPage } from '#src/http/pages/posting-page.js';
import type { AuthorizationResponse } from '../authorization-response.js';

const texts: Record<Language, { title: string; text: string; go: string }> = {
  en: { title: 'One moment', text: 'You are being taken back to the application.', go: 'Continue' },
  de: { title: 'Einen Moment', text: 'Sie werden zur Anwendung zurückgeleitet.', go: 'Weiter' },
  fr: { title: 'Un instant', text: "Vous êtes redirigé vers l'application.", go: 'Continuer' },
  es: { title: 'Un momento', text: 'Volviendo a la aplicación.', go: 'Continuar' },
  it: { title: 'Un momento', text: "Ritorno all'applicazione in corso.", go: 'Continua' },
};

/** The page that posts the response to the client (OAuth 2.0 Form Post Response Mode section 2). */
export function sendFormPost(
  reply: FastifyReply,
  { target, parameters }: AuthorizationResponse,
  look: PageLook,
): FastifyReply {
  return sendPostingPage(reply, look, {
    texts: texts[look.language],
    address: target.redirectUri,
    fields: parameters,
  });
}
