import type { FastifyPluginAsync } from 'fastify';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { readForms } from '#src/http/bodies/read-forms.js';
import { accountRoutes } from './account.routes.js';
import { consentRoutes } from './consent.routes.js';
import { emailRoutes } from './email.routes.js';
import { forgotRoutes } from './forgot.routes.js';
import { answerWithPages } from './http/answer-errors.js';
import { keptMailRoutes } from './kept-mail.routes.js';
import { passwordRoutes } from './login.routes.js';
import type { LoginNeeds } from './needs/needs.js';
import { recoveryCodesRoutes } from './recovery-codes.routes.js';
import { registerRoutes } from './register.routes.js';
import { secondFactorRoutes } from './second-factor.routes.js';
import { selectRoutes } from './select.routes.js';
import { setPasswordRoutes } from './set-password.routes.js';
import { totpRoutes } from './totp.routes.js';

/** The largest accepted form of a page, in bytes. */
const bodyLimit = 32_768;

/** The pages of sign-in and account: `/login` and `/account`. */
export function loginRoutes(deps: LoginNeeds): FastifyPluginAsync {
  return async (app) => {
    answerWithPages(app, deps);
    describeRoutes(app, { page: true });
    readForms(app);
    app.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit;
      route.schema = { ...route.schema, hide: true };
    });
    await app.register(passwordRoutes(deps));
    await app.register(secondFactorRoutes(deps));
    await app.register(selectRoutes(deps));
    await app.register(consentRoutes(deps));
    await app.register(registerRoutes(deps));
    await app.register(setPasswordRoutes(deps));
    await app.register(accountRoutes(deps));
    await app.register(recoveryCodesRoutes(deps));
    await app.register(totpRoutes(deps));
    const { mailer, mailLink } = deps;
    if (mailer === undefined || mailLink === undefined) return;
    await app.register(forgotRoutes(deps, mailLink));
    await app.register(emailRoutes(deps, mailer));
    if (mailer.kept !== undefined) await app.register(keptMailRoutes(deps, mailer.kept));
  };
}
