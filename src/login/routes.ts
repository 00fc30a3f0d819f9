import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/rooms.js';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { readForms } from '#src/http/bodies/read-forms.js';
import { accountRoutes } from './account.routes.js';
import { consentRoutes } from './consent.routes.js';
import { emailRoutes } from './email.routes.js';
import { forgotRoutes } from './forgot.routes.js';
import { answerWithPages } from './http/answer-errors.js';
import { passwordRoutes } from './login.routes.js';
import { keptMailRoutes } from './kept-mail.routes.js';
import { recoveryCodesRoutes } from './recovery-codes.routes.js';
import { registerRoutes } from './register.routes.js';
import { secondFactorRoutes } from './second-factor.routes.js';
import { selectRoutes } from './select.routes.js';
import { setPasswordRoutes } from './set-password.routes.js';
import { totpRoutes } from './totp.routes.js';

/** The largest accepted form of a page, in bytes. */
const bodyLimit = 32_768;

/** The pages of sign-in and account: `/login` and `/account`. */
export function loginRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    answerWithPages(app, container);
    describeRoutes(app, { page: true });
    readForms(app);
    app.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit;
      route.schema = { ...route.schema, hide: true };
    });
    await app.register(passwordRoutes(container));
    await app.register(secondFactorRoutes(container));
    await app.register(selectRoutes(container));
    await app.register(consentRoutes(container));
    await app.register(registerRoutes(container));
    await app.register(setPasswordRoutes(container));
    await app.register(accountRoutes(container));
    await app.register(recoveryCodesRoutes(container));
    await app.register(totpRoutes(container));
    const { mailer, mailLink } = container;
    if (mailer === undefined || mailLink === undefined) return;
    await app.register(forgotRoutes(container, mailLink));
    await app.register(emailRoutes(container, mailer));
    if (mailer.kept !== undefined) await app.register(keptMailRoutes(container, mailer.kept));
  };
}
