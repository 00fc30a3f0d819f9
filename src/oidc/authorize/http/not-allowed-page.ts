import type { FastifyReply } from 'fastify';
import type { Language } from '#src/http/base/language.js';
import { errorIdHeader } from '#src/http/base/problem.js';
import { html } from '#src/http/pages/html.js';
import { type PageLook, showPage } from '#src/http/pages/page-frame.js';
import { oauthErrorId } from '../../protocol/oauth-error.js';
import type { AuthorizationResponse } from '../authorization-response.js';
import { onwardTo } from './onward.js';

const texts: Record<
  Language,
  { title: string; text: (userName: string, name: string) => string; other: string; go: string }
> = {
  en: {
    title: 'You cannot use this application',
    text: (userName, name) =>
      `Your account ${userName} is in none of the groups that may use ${name}. Ask your administrator, or use another account.`,
    other: 'Use another account',
    go: 'Back to the application',
  },
  de: {
    title: 'Sie können diese Anwendung nicht benutzen',
    text: (userName, name) =>
      `Ihr Konto ${userName} ist in keiner der Gruppen, die ${name} benutzen dürfen. Fragen Sie Ihren Administrator, oder nehmen Sie ein anderes Konto.`,
    other: 'Anderes Konto verwenden',
    go: 'Zurück zur Anwendung',
  },
  fr: {
    title: 'Vous ne pouvez pas utiliser cette application',
    text: (userName, name) =>
      `Votre compte ${userName} n’est dans aucun des groupes qui peuvent utiliser ${name}. Demandez à votre administrateur, ou utilisez un autre compte.`,
    other: 'Utiliser un autre compte',
    go: 'Retour à l’application',
  },
  es: {
    title: 'No puede usar esta aplicación',
    text: (userName, name) =>
      `Su cuenta ${userName} no está en ninguno de los grupos que pueden usar ${name}. Consulte a su administrador o use otra cuenta.`,
    other: 'Usar otra cuenta',
    go: 'Volver a la aplicación',
  },
  it: {
    title: 'Non può usare questa applicazione',
    text: (userName, name) =>
      `Il Suo account ${userName} non è in nessuno dei gruppi che possono usare ${name}. Chieda al Suo amministratore o usi un altro account.`,
    other: 'Usa un altro account',
    go: 'Torna all’applicazione',
  },
};

/**
 * The page for a person who signed in and may not use the application. From there, the person signs in with another account, or takes the error
 * `access_denied` back to the application.
 */
export function sendNotAllowedPage(
  reply: FastifyReply,
  look: PageLook,
  shown: {
    readonly response: AuthorizationResponse;
    /** The address of the page on which the person chooses another account. */
    readonly otherAccount: string;
    /** The names of the person and of the application. */
    readonly userName: string;
    readonly name: string;
  },
): FastifyReply {
  const { title, text, other, go } = texts[look.language];
  const { response, otherAccount, userName, name } = shown;
  const content = html`<p class="buttons"><a class="button full" href="${otherAccount}">${other}</a></p>
<div class="links">${onwardTo(response, go)}</div>`;
  reply.header(errorIdHeader, oauthErrorId({ code: 'access_denied' }));
  return showPage(reply.code(403), look, { title, subtitle: text(userName, name), content, leadsAway: true });
}
