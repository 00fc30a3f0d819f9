import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '#src/http/base/errors.js';
import { type Language, pageLanguage } from '#src/http/base/language.js';
import { html, withoutTraces } from '#src/http/pages/html.js';
import { moment } from '#src/http/pages/moment.js';
import { showPage } from '#src/http/pages/page-frame.js';
import { AppError } from '#src/platform/errors.js';
import { isLoopback } from './mail/kept-mail.js';
import type { KeptMail, MailKeeper } from './mail/mail.js';
import type { LoginNeeds } from './needs/needs.js';

const path = '/dev/mail';

const texts: Record<Language, { title: string; subtitle: string; none: string; back: string; html: string }> =
  {
    en: {
      title: 'Mail',
      subtitle: 'Mail that this trial would have sent, the newest first.',
      none: 'No mail yet. “Forgot your password, or never set one?” on the login page sends one.',
      back: 'All mail',
      html: 'The mail as HTML',
    },
    de: {
      title: 'E-Mails',
      subtitle: 'E-Mails, die diese Probeinstallation gesendet hätte, die neueste zuerst.',
      none: 'Noch keine E-Mail. „Passwort vergessen oder noch keines gesetzt?“ auf der Anmeldeseite sendet eine.',
      back: 'Alle E-Mails',
      html: 'Die E-Mail als HTML',
    },
    fr: {
      title: 'E-mails',
      subtitle: "E-mails que cette installation d'essai aurait envoyés, le plus récent d'abord.",
      none: 'Aucun e-mail. « Mot de passe oublié ou jamais défini ? » sur la page de connexion en envoie un.',
      back: 'Tous les e-mails',
      html: "L'e-mail en HTML",
    },
    es: {
      title: 'Correos',
      subtitle: 'Correos que esta instalación de prueba habría enviado, el más nuevo primero.',
      none: 'Aún no hay correos. «¿Olvidó su contraseña o nunca la estableció?» en la página de inicio de sesión envía uno.',
      back: 'Todos los correos',
      html: 'El correo en HTML',
    },
    it: {
      title: 'E-mail',
      subtitle: 'E-mail che questa installazione di prova avrebbe inviato, la più recente per prima.',
      none: 'Ancora nessuna e-mail. «Password dimenticata o mai impostata?» nella pagina di accesso ne invia una.',
      back: 'Tutte le e-mail',
      html: 'L’e-mail in HTML',
    },
  };

/**
 * `/dev/mail`: the mail that a trial without a mail server would have sent. Only the machine itself may read it, under the address of the
 * service, so that no web site can read it through a name of its own (DNS rebinding).
 */
export function keptMailRoutes(
  { config }: Pick<LoginNeeds, 'config'>,
  keeper: MailKeeper,
): FastifyPluginAsync {
  const { baseUrl } = config;
  const { host } = new URL(baseUrl);

  return async (app) => {
    app.addHook('onRequest', async (request) => {
      if (!isLoopback(request.socket.remoteAddress ?? '') || request.headers.host !== host)
        throw new AppError(httpErrors.notFound);
    });

    app.get(path, async (request, reply) => {
      const language = pageLanguage(request);
      const { title, subtitle, none } = texts[language];
      const mails = await keeper.all();
      const rows = mails.map(
        (mail) =>
          html`<li><a class="button account" href="${baseUrl}${path}/${mail.id}"><span>${mail.subject}<span class="soft">${mail.to} · ${moment(mail.date, language)}</span></span></a></li>`,
      );
      const content = mails.length === 0 ? html`<p>${none}</p>` : html`<ul class="rows">${rows}</ul>`;
      return showPage(reply, { baseUrl, language }, { title, subtitle, content, isWide: true });
    });

    app.get(`${path}/:id`, async (request, reply) => {
      const mail = await find(request);
      const language = pageLanguage(request);
      const t = texts[language];
      const content = html`<iframe class="mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="${baseUrl}${path}/${mail.id}/html" title="${t.html}"></iframe>
<pre class="mail">${mail.text}</pre>
<p class="links"><a href="${baseUrl}${path}">${t.back}</a></p>`;
      const subtitle = html`${mail.to} · ${moment(mail.date, language)}`;
      const page = { title: mail.subject, subtitle, content, isWide: true, frames: true };
      return showPage(reply, { baseUrl, language }, page);
    });

    app.get(`${path}/:id/html`, async (request, reply) => sendMail(reply, await find(request)));
  };

  async function find({ params }: FastifyRequest): Promise<KeptMail> {
    const mail = await keeper.find((params as { id: string }).id);
    if (mail === undefined) throw new AppError(httpErrors.notFound);
    return mail;
  }
}

/** Sends a mail as a mail program shows it: without scripts and pictures. Its links open other tabs. */
function sendMail(reply: FastifyReply, { html: text }: KeptMail): FastifyReply {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-popups allow-popups-to-escape-sandbox',
  ];
  return withoutTraces(reply)
    .header('content-security-policy', policy.join('; '))
    .type('text/html; charset=utf-8')
    .send(text.replace('<head>', '<head><base target="_blank">'));
}
