import type { FastifyReply } from 'fastify';
import type { Organization } from '#src/directory/organizations/organization.js';
import { html, inlineElement, type PageOptions, sendPage } from '#src/http/pages/html.js';
import type { Language } from '#src/http/pages/language.js';
import { pageFrame } from '#src/http/pages/page-frame.js';

const script = 'document.forms[0].submit()';

export interface PostingPage {
  readonly language: Language;
  readonly texts: { readonly title: string; readonly text: string; readonly go: string };
  readonly organization?: Organization | undefined;
  /** Where the form goes. */
  readonly address: string;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly policy: Pick<PageOptions, 'formTargets' | 'namesOrigin'>;
}

/** Sends a page that posts its form at once. Without JavaScript, the person presses the button. */
export function sendPostingPage(reply: FastifyReply, shown: PostingPage): FastifyReply {
  const { language, texts, organization, address, policy } = shown;
  const fields = Object.entries(shown.fields).flatMap(([name, values]) =>
    [values].flat().map((value) => html`<input type="hidden" name="${name}" value="${value}">\n`),
  );
  const content = html`<p>${texts.text}</p>
<form method="post" action="${address}">
${fields}<button type="submit">${texts.go}</button>
</form>
${inlineElement('script', script)}`;
  const { page, ...options } = pageFrame({ language, title: texts.title, content, organization });
  return sendPage(reply, page, { ...options, script, ...policy });
}
