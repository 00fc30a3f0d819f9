import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { languages } from '#src/http/base/language.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { nameError } from '../http/name-error.js';
import { loginToAccount } from '../http/to-account.js';
import type { LoginNeeds } from '../needs/needs.js';
import { changeOwnProfile, type EnteredNames, mayLeaveOut } from './change-own-profile.js';
import type { AccountErrors } from './http/account-page.js';
import { type Member, readMemberPost, refuseMember } from './http/member.js';
import { goToAccount } from './http/show-account.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'applications'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'events'
  | 'groupMembers'
  | 'mailer'
  | 'mongo'
  | 'oneTimeLinks'
  | 'passwords'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'revocations'
  | 'sessions'
  | 'userCounter'
  | 'users'
  | 'batchChangedUser'
>;

/** The form in which a person changes the own names and language. */
export function profileRoutes(deps: Deps): FastifyPluginAsync {
  return async (app) => {
    app.post('/account/profile', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'profile');
      if (member === undefined) return goTo(reply, loginToAccount(deps));
      return changeProfile(deps, { request, reply }, member);
    });
  };
}

async function changeProfile(
  deps: Deps,
  { request, reply }: HttpExchange,
  member: Member,
): Promise<FastifyReply> {
  const { account, organization } = member;
  const entered = readNames(request.body);
  const language = languages.find((known) => known === formText(request.body, 'preferredLanguage'));
  const errors = nameErrors(entered, member);
  if (Object.keys(errors).length > 0) {
    const typed = { ...entered, preferredLanguage: language ?? '' };
    return refuseMember(deps, reply.code(400), { member, path: '/account' }, { errors, typed });
  }
  await changeOwnProfile(deps, { organization, user: account.user, entered, language });
  return goToAccount(deps, reply, { session: member.session, done: 'profile' });
}

function readNames(body: unknown): EnteredNames {
  return {
    givenName: formText(body, 'givenName').trim(),
    familyName: formText(body, 'familyName').trim(),
    displayName: formText(body, 'displayName').trim(),
  };
}

function nameErrors(entered: EnteredNames, { account, visit }: Member): AccountErrors {
  const errorOf = (name: keyof EnteredNames) =>
    entered[name] === '' && mayLeaveOut(account.user, name)
      ? undefined
      : nameError(entered[name], visit.texts);
  const errors = (['givenName', 'familyName', 'displayName'] as const).map(
    (name) => [name, errorOf(name)] as const,
  );
  return Object.fromEntries(errors.filter(([, error]) => error !== undefined));
}
