import type { FastifyReply } from 'fastify';
import { html } from './html.js';
import { type PageLook, showPage } from './page-frame.js';

const script = 'document.forms[0].submit()';

interface PostingPage {
  readonly texts: { readonly title: string; readonly text: string; readonly go: string };
  /** Where the form goes. */
  readonly address: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  /** Whether the browser names this service as the origin of the form. */
  readonly namesOrigin?: boolean;
}

/**
 * Sends a page that posts its form at once, to an application, to a provider, or to an endpoint that may redirect there. Without JavaScript, the person
 * presses the button.
 */
export function sendPostingPage(reply: FastifyReply, look: PageLook, shown: PostingPage): FastifyReply {
  const { texts, address, namesOrigin = false } = shown;
  const fields = Object.entries(shown.fields).flatMap(([name, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">\n`),
  );
  const content = html`<form method="post" action="${address}">
${fields}<button type="submit">${texts.go}</button>
</form>`;
  const { title, text: subtitle } = texts;
  return showPage(reply, look, { title, subtitle, content, script, namesOrigin, leadsAway: true });
}
