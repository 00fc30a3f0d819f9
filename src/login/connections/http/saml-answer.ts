import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Connection, samlAddresses } from '#src/connections/registry/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { pageLanguage } from '#src/http/base/language.js';
import { sendPostingPage } from '#src/http/pages/posting-page.js';
import { AppError } from '#src/platform/errors.js';
import { loginErrors } from '../../http/errors.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { texts } from '../../texts/texts.js';

type Deps = Pick<LoginNeeds, 'config'>;

/** The largest form with a response, in bytes: base64 of 256 KiB, with room for line breaks and for the encoding of forms. */
export const samlFormBytes = 430_080;

/** Marks the form that a page of this service has sent. */
const againField = 'again';

/**
 * Reads the form with which a provider answers (SAML Bindings section 3.5.4). Another site makes the browser post it, which then sends no
 * cookie (SameSite=Lax). So the first form is answered by a page that posts it again from here. Only the second one comes with the cookie.
 * @returns the answer in the second form. Undefined for the first one
 * @throws AppError `login.flowEnded` if a form that says that this service has sent it comes from elsewhere
 */
export function readSamlForm(
  { config }: Deps,
  { body, headers }: FastifyRequest,
): URLSearchParams | undefined {
  if (fieldOf(body, againField) === '') return undefined;
  if (headers.origin !== new URL(config.baseUrl).origin) throw new AppError(loginErrors.flowEnded);
  return new URLSearchParams({
    state: fieldOf(body, 'RelayState'),
    SAMLResponse: fieldOf(body, 'SAMLResponse'),
  });
}

/** Sends the page that posts the form of a provider again, to the same address. */
export function sendSamlAgain(
  { config }: Deps,
  { request, reply }: HttpExchange,
  connection: Pick<Connection, 'orgId' | 'id'>,
): FastifyReply {
  const language = pageLanguage(request);
  const t = texts[language];
  return sendPostingPage(
    reply,
    { baseUrl: config.baseUrl, language },
    {
      texts: { title: t.oneMoment, text: t.signInGoesOn, go: t.continue },
      address: samlAddresses(config, connection).acsUrl,
      fields: {
        SAMLResponse: fieldOf(request.body, 'SAMLResponse'),
        RelayState: fieldOf(request.body, 'RelayState'),
        [againField]: '1',
      },
      namesOrigin: true,
    },
  );
}

/** A field of the form, in its whole length. '' if it is absent or repeated. */
function fieldOf(body: unknown, name: string): string {
  const fields = (body ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return typeof value === 'string' ? value : '';
}
