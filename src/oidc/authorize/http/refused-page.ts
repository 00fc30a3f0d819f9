import type { FastifyReply } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import { errorIdHeader } from '#src/http/base/problem.js';
import { html } from '#src/http/pages/html.js';
import { type PageLook, showPage } from '#src/http/pages/page-frame.js';
import { placeOf } from '#src/http/pages/place-of.js';
import { oauthErrorId } from '../../protocol/oauth-error.js';
import type { AuthorizationResponse } from '../authorization-response.js';
import { onwardTo } from './onward.js';

const texts: Record<
  Language,
  { title: string; text: (name: string) => string; warning: string; go: string }
> = {
  en: {
    title: 'This request is not valid',
    text: (name) => `The application ${name} of another organization sent a request that cannot be answered.`,
    warning: 'Go on only if you know this address:',
    go: 'Go to the application',
  },
  de: {
    title: 'Diese Anfrage ist nicht gültig',
    text: (name) =>
      `Die Anwendung ${name} einer anderen Organisation hat eine Anfrage geschickt, die nicht beantwortet werden kann.`,
    warning: 'Gehen Sie nur weiter, wenn Sie diese Adresse kennen:',
    go: 'Zur Anwendung',
  },
  fr: {
    title: "Cette demande n'est pas valide",
    text: (name) =>
      `L'application ${name} d'une autre organisation a envoyé une demande qui ne peut pas être traitée.`,
    warning: 'Continuez seulement si vous connaissez cette adresse :',
    go: "Aller à l'application",
  },
  es: {
    title: 'Esta solicitud no es válida',
    text: (name) =>
      `La aplicación ${name} de otra organización ha enviado una solicitud que no se puede atender.`,
    warning: 'Continúe solo si conoce esta dirección:',
    go: 'Ir a la aplicación',
  },
  it: {
    title: 'Questa richiesta non è valida',
    text: (name) =>
      `L'applicazione ${name} di un'altra organizzazione ha inviato una richiesta che non può essere soddisfatta.`,
    warning: 'Prosegua solo se conosce questo indirizzo:',
    go: "Vai all'applicazione",
  },
};

/**
 * The page that a person sees before an error leads to the application of a stranger (RFC 9700 section 4.11.2). Without it,
 * a link to this service could lead to any address that some organization registered.
 */
export function sendRefusedPage(
  reply: FastifyReply,
  look: PageLook,
  { response, name }: { response: AuthorizationResponse; name: string },
): FastifyReply {
  const { title, text, warning, go } = texts[look.language];
  const { target, parameters } = response;
  const content = html`<p>${text(name)}</p>
<p class="detail" lang="en"><code>${parameters['error']}: ${parameters['error_description']}</code></p>
<p>${warning} <strong>${placeOf(target.redirectUri)}</strong></p>
${onwardTo(response, go)}`;
  reply.header(errorIdHeader, oauthErrorId({ code: parameters['error'] ?? 'invalid_request' }));
  return showPage(reply.code(400), look, { title, content, leadsAway: true });
}
