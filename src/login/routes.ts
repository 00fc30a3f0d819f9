import type { FastifyPluginAsync } from 'fastify';
import { describeRoutes } from '#src/http/base/route-facts.js';
import { readForms } from '#src/http/bodies/read-forms.js';
import { accountRoutes } from './account/account.routes.js';
import { ownConsentRoutes } from './account/consents.routes.js';
import { emailRoutes } from './account/email/email.routes.js';
import { identitiesRoutes } from './account/identities/identities.routes.js';
import { confirmRoutes } from './account/passkeys/confirm.routes.js';
import { passkeyOfferRoutes } from './account/passkeys/offer.routes.js';
import { passkeyRoutes } from './account/passkeys/passkeys.routes.js';
import { ownPasswordRoutes } from './account/password.routes.js';
import { profileRoutes } from './account/profile.routes.js';
import { recoveryCodesRoutes } from './account/second-factor/recovery-codes.routes.js';
import { totpRoutes } from './account/second-factor/totp.routes.js';
import { ownSessionRoutes } from './account/sessions.routes.js';
import { connectionSignInRoutes } from './connections/connection.routes.js';
import { providerRoutes } from './connections/provider.routes.js';
import { answerWithPages } from './http/answer-errors.js';
import { keptMailRoutes } from './kept-mail.routes.js';
import { linkRoutes } from './linking/link.routes.js';
import { servedLogoRoutes } from './logo.routes.js';
import type { LoginNeeds } from './needs/needs.js';
import { forgotRoutes } from './new-password/forgot.routes.js';
import { passwordLinkRoutes } from './new-password/password-link.routes.js';
import { requiredChangeRoutes } from './new-password/required-change.routes.js';
import { registerRoutes } from './registration/register.routes.js';
import { setupRoutes } from './setup/setup.routes.js';
import { askForLinkRoutes } from './sign-in/ask-for-link.routes.js';
import { consentRoutes } from './sign-in/consent.routes.js';
import { enrolRoutes } from './sign-in/enrol.routes.js';
import { enrolPasskeyRoutes } from './sign-in/enrol-passkey.routes.js';
import { passwordRoutes } from './sign-in/login.routes.js';
import { mailCodeRoutes } from './sign-in/mail-code.routes.js';
import { openLinkRoutes } from './sign-in/open-link.routes.js';
import { passkeySignInRoutes } from './sign-in/passkey.routes.js';
import { secondFactorRoutes } from './sign-in/second-factor.routes.js';
import { selectRoutes } from './sign-in/select.routes.js';
import { verifyEmailRoutes } from './verify-email/verify-email.routes.js';

/** The largest accepted form of most pages, in bytes. */
const bodyLimit = 32_768;

/** The pages of sign-in and account: `/login` and `/account`. */
export function loginRoutes(deps: LoginNeeds): FastifyPluginAsync {
  return async (app) => {
    answerWithPages(app, deps);
    describeRoutes(app, { page: true });
    app.addHook('onRoute', (route) => {
      route.bodyLimit ??= bodyLimit;
      route.schema = { ...route.schema, hide: true };
    });
    readForms(app);
    await app.register(passwordRoutes(deps));
    await app.register(connectionSignInRoutes(deps));
    await app.register(setupRoutes(deps));
    await app.register(linkRoutes(deps));
    await app.register(providerRoutes(deps));
    await app.register(secondFactorRoutes(deps));
    await app.register(mailCodeRoutes(deps));
    await app.register(enrolRoutes(deps));
    await app.register(enrolPasskeyRoutes(deps));
    await app.register(passkeySignInRoutes(deps));
    await app.register(selectRoutes(deps));
    await app.register(consentRoutes(deps));
    await app.register(verifyEmailRoutes(deps));
    await app.register(registerRoutes(deps));
    await app.register(passwordLinkRoutes(deps));
    await app.register(requiredChangeRoutes(deps));
    await app.register(accountRoutes(deps));
    await app.register(profileRoutes(deps));
    await app.register(ownPasswordRoutes(deps));
    await app.register(ownConsentRoutes(deps));
    await app.register(ownSessionRoutes(deps));
    await app.register(recoveryCodesRoutes(deps));
    await app.register(totpRoutes(deps));
    await app.register(passkeyRoutes(deps));
    await app.register(confirmRoutes(deps));
    await app.register(passkeyOfferRoutes(deps));
    await app.register(identitiesRoutes(deps));
    await app.register(servedLogoRoutes(deps));
    const { mailer, mailLink } = deps;
    if (mailer === undefined || mailLink === undefined) return;
    await app.register(forgotRoutes(deps, mailLink));
    await app.register(emailRoutes(deps, mailer));
    await app.register(askForLinkRoutes(deps, mailer));
    await app.register(openLinkRoutes(deps));
    if (mailer.unsent !== undefined) await app.register(keptMailRoutes(deps, mailer.unsent));
  };
}
