import { type Html, html } from '#src/http/pages/html.js';
import { type AuthorizationResponse, responseAddress } from '../authorization-response.js';

/** The way on to the application with a response: a link, or a form if the application takes responses by POST. */
export function onwardTo(response: AuthorizationResponse, label: string): Html {
  const { target, parameters } = response;
  if (target.responseMode !== 'form_post')
    return html`<p><a href="${responseAddress(response)}" rel="noreferrer">${label}</a></p>`;
  const fields = Object.entries(parameters).map(
    ([field, value]) => html`<input type="hidden" name="${field}" value="${value}">\n`,
  );
  return html`<form method="post" action="${target.redirectUri}">\n${fields}<button type="submit" class="quiet">${label}</button></form>`;
}
