import type { FastifyReply } from 'fastify';
import { html, inlineElement, sendPage } from '#src/http/pages/html.js';
import type { Language } from '#src/http/pages/language.js';
import { pageFrame } from '#src/http/pages/page-frame.js';
import type { FormParameters } from '../protocol/parameters.js';

const script = 'document.forms[0].submit()';

const texts: Record<Language, { title: string; text: string; go: string }> = {
  en: { title: 'One moment', text: 'The request of the application is being read.', go: 'Continue' },
  de: { title: 'Einen Moment', text: 'Die Anfrage der Anwendung wird gelesen.', go: 'Weiter' },
  fr: { title: 'Un instant', text: "La demande de l'application est en cours de lecture.", go: 'Continuer' },
  es: { title: 'Un momento', text: 'Se está leyendo la solicitud de la aplicación.', go: 'Continuar' },
  it: { title: 'Un momento', text: "Lettura della richiesta dell'applicazione in corso.", go: 'Continua' },
};

/**
 * The page that posts a form to this service again, with the cookie of the browser. Without JavaScript, the person presses
 * the button. The browser names this service as the origin of the form.
 */
export function sendAgainPage(
  reply: FastifyReply,
  { address, fields, language }: { address: string; fields: FormParameters; language: Language },
): FastifyReply {
  const { title, text, go } = texts[language];
  const inputs = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">\n`),
  );
  const content = html`<p>${text}</p>
<form method="post" action="${address}">
${inputs}<button type="submit">${go}</button>
</form>
${inlineElement('script', script)}`;
  const { page, ...options } = pageFrame({ language, title, content });
  return sendPage(reply, page, { ...options, script, namesOrigin: true });
}
