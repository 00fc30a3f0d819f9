import type { FastifyReply } from 'fastify';
import type { Organization } from '#src/directory/organizations/organization.js';
import { html, inlineElement, sendPage } from '#src/http/pages/html.js';
import type { Language } from '#src/http/pages/language.js';
import { pageFrame } from '#src/http/pages/page-frame.js';
import type { AuthorizationResponse } from '../authorization-response.js';

const script = 'document.forms[0].submit()';

const texts: Record<Language, { title: string; text: string; go: string }> = {
  en: { title: 'One moment', text: 'You are being taken back to the application.', go: 'Continue' },
  de: { title: 'Einen Moment', text: 'Sie werden zur Anwendung zurückgeleitet.', go: 'Weiter' },
  fr: { title: 'Un instant', text: "Vous êtes redirigé vers l'application.", go: 'Continuer' },
  es: { title: 'Un momento', text: 'Volviendo a la aplicación.', go: 'Continuar' },
  it: { title: 'Un momento', text: "Ritorno all'applicazione in corso.", go: 'Continua' },
};

/**
 * The page that posts the response to the client (OAuth 2.0 Form Post Response Mode section 2). Its policy
 * allows only this script and this target. Without JavaScript, the person presses the button.
 */
export function sendFormPost(
  reply: FastifyReply,
  { target, parameters }: AuthorizationResponse,
  { language, organization }: { language: Language; organization?: Organization | undefined },
): FastifyReply {
  const { title, text, go } = texts[language];
  const fields = Object.entries(parameters).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  const content = html`<p>${text}</p>
<form method="post" action="${target.redirectUri}">
${fields}<button type="submit">${go}</button>
</form>
${inlineElement('script', script)}`;
  const { page, ...options } = pageFrame({ language, title, content, organization });
  return sendPage(reply, page, { ...options, script, formTargets: [target.redirectUri] });
}
