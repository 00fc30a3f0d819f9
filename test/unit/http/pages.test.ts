import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import t from 'tap';
import { csrfToken, isCsrfToken } from '#src/http/auth/csrf.js';
import { chooseLanguage } from '#src/http/base/language.js';
import { html, inlineElement, sendPage } from '#src/http/pages/html.js';

t.test('the html tag escapes everything but markup that it made', async (t) => {
  const evil = `<b a="1" c='2'>&amp;`;
  const escaped = '&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;';
  t.equal(String(html`<p title="${evil}">${evil}</p>`), `<p title="${escaped}">${escaped}</p>`);
  t.equal(String(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}</ul>`), '<ul><li>1</li><li>2</li></ul>');
  t.equal(String(html`${[evil]}`), escaped);
  t.equal(String(html`a${undefined}${null}${false}${true}b${0}`), 'ab0');
  const imitation = { toString: () => '<script>' } as never;
  t.equal(String(html`${imitation}`), '&lt;script&gt;');
});

/** The Content-Security-Policy of a page. */
function policyOf(options: Parameters<typeof sendPage>[2]): string {
  const headers: Record<string, string> = {};
  const reply = {
    header(name: string, value: string) {
      headers[name] = value;
      return reply;
    },
    type: () => reply,
    send: () => reply,
  };
  sendPage(reply as unknown as FastifyReply, html`<p>`, options);
  return headers['content-security-policy'] ?? '';
}

t.test('a page may do nothing but what it says', async (t) => {
  t.equal(
    policyOf({}),
    "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; " +
      "base-uri 'none'; frame-ancestors 'none'",
  );
  const script = 'go()';
  const hash = createHash('sha256').update(script).digest('base64');
  t.match(policyOf({ script }), `script-src 'sha256-${hash}';`);
  t.equal(String(inlineElement('script', script)), '<script>go()</script>');
  t.equal(
    policyOf({ leadsAway: true }),
    "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'no rule for forms, because browsers apply it to what the application redirects to',
  );
});

t.test('a form proves that it was made for this agent and purpose', async (t) => {
  const agent = { secret: 's'.repeat(43), hash: 'h' };
  const other = { secret: 't'.repeat(43), hash: 'i' };
  const token = csrfToken(agent, 'login 1');
  t.ok(isCsrfToken(token, agent, 'login 1'));
  t.notOk(isCsrfToken(token, agent, 'login 2'));
  t.notOk(isCsrfToken(token, other, 'login 1'));
  t.notOk(isCsrfToken(token, undefined, 'login 1'));
  for (const wrong of [undefined, '', [token], token.slice(1), `${token}x`]) {
    t.notOk(isCsrfToken(wrong, agent, 'login 1'));
  }
});

t.test('the language of a page', async (t) => {
  const rows: [locales: string[], header: string | undefined, expected: string][] = [
    [[], undefined, 'en'],
    [['de-CH'], 'fr', 'de'],
    [['qaa', 'IT'], 'fr', 'it'],
    [['qaa'], 'fr-CA, de;q=0.9', 'fr'],
    [[], 'qaa, es;q=0.5, de;q=0.8', 'de'],
    [[], 'de;q=0, fr;q=0.1', 'fr'],
    [[], '*;q=x,;;,', 'en'],
    [[], `${'xx,'.repeat(1_000)}de`, 'en'],
  ];
  for (const [locales, header, expected] of rows)
    t.equal(chooseLanguage(locales, header), expected, String(header));
});
