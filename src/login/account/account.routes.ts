import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { checkPassword, setPassword } from '#src/authentication/index.js';
import { revokeConsent } from '#src/clients/consents/index.js';
import {
  hasInvisibleCharacters,
  hasUnusableCharacters,
  isLongerThan,
  type User,
} from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { languages } from '#src/http/base/language.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { asInput, changeUser } from '#src/people/users/index.js';
import { signOut } from '#src/sessions/sign-out.js';
import { beginAnew } from '../http/begin-anew.js';
import { answerLocked } from '../http/locked.js';
import { newPasswordErrors } from '../http/new-password.js';
import { originOf } from '../http/origin.js';
import { showVisit } from '../http/pages.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { ShownConsent } from './http/account-lists.js';
import { type AccountErrors, accountPage } from './http/account-page.js';
import { type Member, readMemberPost, readSignedInMember, signInOf } from './http/member.js';
import { checkOwnCode } from './http/own-proof.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'applications'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'consents'
  | 'events'
  | 'logger'
  | 'loginAttempts'
  | 'mailer'
  | 'mongo'
  | 'oneTimeLinks'
  | 'passwords'
  | 'refreshTokens'
  | 'revocations'
  | 'serviceUsers'
  | 'sessions'
  | 'totpSealer'
  | 'userCounter'
  | 'users'
>;

const maxName = 200;
/** The most consents on the page. */
const maxConsents = 100;

/** The account page, where people change their profile and password and see their sessions. */
export function accountRoutes(deps: Deps): FastifyPluginAsync {
  const { sessions } = deps;
  const login = pageAddress(deps, '/login');

  async function show(
    { reply }: Pick<HttpExchange, 'reply'>,
    member: Member,
    messages: { errors?: AccountErrors; alert?: string | undefined; notice?: string | undefined } = {},
  ): Promise<FastifyReply> {
    const { visit, account } = member;
    const { errors = {}, ...rest } = messages;
    const [own, consents] = await Promise.all([
      sessions.ofUser(account.user.id),
      consentsOf(deps, account.user),
    ]);
    const content = accountPage(deps, member, { own, consents, errors });
    return showVisit(deps, { reply }, { visit, title: visit.texts.account, content, isWide: true, ...rest });
  }

  const backTo = (reply: FastifyReply, { session }: Member, done: string) =>
    goTo(reply, pageAddress(deps, '/account', { session: session.id, done }));

  return async (app) => {
    app.get('/account', async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      const { done } = member.visit.texts;
      const name = formText(request.query, 'done');
      const notice = Object.hasOwn(done, name) ? done[name as keyof typeof done] : undefined;
      return show({ reply }, member, { notice });
    });

    // A form with errors is shown at the address of its POST, and the person may reload it as a GET.
    for (const form of ['profile', 'password', 'sessions/end', 'consents/remove']) {
      app.get(`/account/${form}`, (_request, reply) => goTo(reply, pageAddress(deps, '/account')));
    }

    app.post('/account/profile', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'profile');
      if (member === undefined) return goTo(reply, login);
      const { visit, account, organization } = member;
      const names = ['givenName', 'familyName', 'displayName'] as const;
      const entered = Object.fromEntries(names.map((name) => [name, formText(request.body, name).trim()]));
      const mayLack = (name: (typeof names)[number]) => name !== 'displayName' && hasNo(account.user, name);
      const wrong = names.filter(
        (name) => !isName(entered[name] ?? '') && !(entered[name] === '' && mayLack(name)),
      );
      if (wrong.length > 0) {
        const errors = Object.fromEntries(
          wrong.map((name) => [name, entered[name] === '' ? visit.texts.required : visit.texts.wrongName]),
        );
        return show({ reply: reply.code(400) }, member, { errors });
      }
      const { displayName = '' } = entered;
      const [givenName, familyName] = [entered['givenName'] || undefined, entered['familyName'] || undefined];
      const language = languages.find((known) => known === formText(request.body, 'preferredLanguage'));
      const { id } = account.user;
      await changeUser(deps, {
        organization,
        id,
        editor: { userId: id, service: 'account' },
        change: (current) => ({
          profile: {
            ...asInput(current),
            name: {
              ...current.name,
              ...(givenName !== undefined && { givenName }),
              ...(familyName !== undefined && { familyName }),
            },
            ...(!isSameName(current, { givenName, familyName, displayName }) && { displayName }),
            ...(language !== undefined && { preferredLanguage: language }),
          },
        }),
      });
      await deps.userCounter.changed(organization.id);
      return backTo(reply, member, 'profile');
    });

    app.post('/account/password', { config: { heavy: 'sign-in' } }, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'password');
      if (member === undefined) return goTo(reply, login);
      const { visit, account, organization, session } = member;
      const entered = {
        current: formText(request.body, 'current'),
        password: formText(request.body, 'password'),
        repeated: formText(request.body, 'repeated'),
      };
      const errors = newPasswordErrors(entered, organization.passwordPolicy, visit.language);
      if (Object.keys(errors).length > 0) return show({ reply: reply.code(400) }, member, { errors });
      const { user } = account;
      const proof = {
        account,
        loginName: user.userName,
        password: entered.current,
        earlier: signInOf(member),
        ...originOf(request),
      };
      const outcome = await checkPassword(deps, proof);
      if (outcome.kind === 'locked') {
        return show({ reply }, member, { alert: answerLocked(reply, visit.language, outcome) });
      }
      if (outcome.kind === 'wrong' || entered.current === entered.password) {
        const wrong: AccountErrors =
          outcome.kind === 'wrong'
            ? { current: visit.texts.wrongCurrentPassword }
            : { password: visit.texts.samePassword };
        return show({ reply: reply.code(400) }, member, { errors: wrong });
      }
      // The session begins anew, and so counts as a fresh sign-in. That takes the second factor too.
      reply.code(400);
      const code = account.totp && (await checkOwnCode(deps, { request, reply }, member));
      if (code !== undefined) return show({ reply }, member, { errors: { code } });
      const editor = { userId: user.id, service: 'account' };
      await setPassword(deps, { organization, id: user.id, password: entered.password, editor });
      const amr = account.totp === undefined ? session.amr : (['pwd', 'otp', 'mfa'] as const);
      const renewed = await beginAnew(deps, { request, reply }, { session, amr });
      return backTo(reply, { ...member, session: renewed }, 'password');
    });

    app.post('/account/consents/remove', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'revoke-consent');
      if (member === undefined) return goTo(reply, login);
      const { user } = member.account;
      const clientId = formText(request.body, 'clientId');
      const editor = { userId: user.id, service: 'account' };
      await revokeConsent(deps, { user, clientId, editor });
      return backTo(reply, member, 'consentRevoked');
    });

    app.post('/account/sessions/end', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'end-session');
      if (member === undefined) return goTo(reply, login);
      const ended = formText(request.body, 'ended');
      const { id: userId } = member.account.user;
      await signOut(deps, { userId, sessionId: ended });
      return ended === member.session.id ? goTo(reply, login) : backTo(reply, member, 'sessionEnded');
    });
  };
}

/** The consents of a person whose applications exist, the latest first. */
async function consentsOf(
  { consents, applications }: Pick<LoginNeeds, 'consents' | 'applications'>,
  { orgId, id: userId }: User,
): Promise<ShownConsent[]> {
  const found = await consents.ofUser(orgId, { userId, limit: maxConsents });
  const known = await applications.findMany(found.map(({ clientId }) => clientId));
  const byId = new Map(known.map((application) => [application.id, application]));
  return found.flatMap((consent) => {
    const application = byId.get(consent.clientId);
    return application === undefined ? [] : [{ consent, application }];
  });
}

/** Whether the user has no such name. The form may then leave it empty. */
function hasNo({ name }: User, part: 'givenName' | 'familyName'): boolean {
  return name[part] === undefined;
}

function isName(name: string): boolean {
  return (
    name !== '' &&
    !isLongerThan(name, maxName) &&
    !hasUnusableCharacters(name) &&
    !hasInvisibleCharacters(name)
  );
}

/** Whether the form leaves all names as they were. A displayName that was made of the names then stays so. */
function isSameName(
  { name, displayName }: User,
  entered: { givenName: string | undefined; familyName: string | undefined; displayName: string },
): boolean {
  return (
    displayName === entered.displayName &&
    name.givenName === entered.givenName &&
    name.familyName === entered.familyName
  );
}
