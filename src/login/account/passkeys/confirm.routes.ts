import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import {
  checkPasskey,
  listPasskeys,
  type RelyingParty,
  relyingPartyOf,
  requestOptions,
} from '#src/authentication/passkeys/index.js';
import type { Proof } from '#src/authentication/proofs/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import type { Session } from '#src/sessions/session.js';
import { connectionsOf } from '../../connections/connection-buttons.js';
import { answerLocked } from '../../http/locked.js';
import { originOf } from '../../http/origin.js';
import { showVisit } from '../../http/pages.js';
import { type FormRefusal, readRefusal, refuseForm } from '../../http/refused-form.js';
import { loginToAccount } from '../../http/to-account.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { ownIdentities } from '../http/identity-section.js';
import { type Member, readMemberPost, readSignedInMember } from '../http/member.js';
import { checkOwnPassword, checkOwnProofs } from '../http/own-proof.js';
import { confirmedPaths, confirmPath, isFreshMember, renewMember } from './fresh-member.js';
import { confirmOwnPage } from './passkey-pages.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'codeAttempts'
  | 'config'
  | 'events'
  | 'groupMembers'
  | 'identityLinks'
  | 'logger'
  | 'loginAttempts'
  | 'passkeyChallenges'
  | 'passwords'
  | 'refusedFormSealer'
  | 'sessions'
  | 'totpSealer'
  | 'webauthnCredentials'
>;

/** The page on which a person who is signed in proves again who it is, before a change of the passkeys or of the linked accounts. */
export function confirmRoutes(deps: Deps): FastifyPluginAsync {
  const party = relyingPartyOf(deps.config);
  const login = loginToAccount(deps);
  return async (app) => {
    app.get(`${confirmPath}/passkey`, (_request, reply) => goTo(reply, login));
    app.get(confirmPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      if (member === undefined) return goTo(reply, login);
      if (isFreshMember(deps, member)) return goOn(deps, { request, reply }, request.query, member);
      return showConfirm(deps, { request, reply }, { member, party });
    });
    app.post(confirmPath, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'confirm');
      return member === undefined ? goTo(reply, login) : byPassword(deps, { request, reply }, member);
    });
    app.post(`${confirmPath}/passkey`, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'confirm-passkey');
      if (member === undefined || party === undefined) return goTo(reply, login);
      return byPasskey(deps, { request, reply }, { member, party });
    });
  };
}

/** What a form carries of where the person goes on. */
function placeOf(source: unknown): { next: string; passkey: string } {
  const named = formText(source, 'next');
  const next = confirmedPaths.find((path) => path === named) ?? '/account';
  return { next, passkey: formText(source, 'passkey') };
}

function goOn(
  deps: Deps,
  { reply }: HttpExchange,
  source: unknown,
  { session }: { session: Session },
): FastifyReply {
  const { next, passkey } = placeOf(source);
  return goTo(reply, pageAddress(deps, next, { session: session.id, passkey }));
}

function bindingOf({ visit: { agent }, account: { user } }: Member) {
  return { purpose: 'confirm', agent: agent.hash, orgId: user.orgId, userId: user.id } as const;
}

async function showConfirm(
  deps: Deps,
  exchange: HttpExchange,
  { member, party }: { member: Member; party: RelyingParty | undefined },
): Promise<FastifyReply> {
  const { visit, account } = member;
  const allowed =
    account.passkeys === undefined || party === undefined ? [] : await listPasskeys(deps, account.user);
  const challenge = deps.passkeyChallenges.make(bindingOf(member));
  const options =
    allowed.length === 0 || party === undefined
      ? undefined
      : requestOptions(party, { challenge, allowed, isOnlyFactor: true });
  const connections = await ownConnections(deps, member);
  const { errors = {}, alert } = readRefusal(deps, exchange, { visit, path: confirmPath }) ?? {};
  const hidden = placeOf(exchange.request.query);
  return showVisit(deps, exchange, {
    visit,
    ...confirmOwnPage(deps, member, { hidden, options, connections, errors, alert }),
  });
}

/** The connections by which the person signs in, if the organization lets them. */
async function ownConnections(deps: Deps, member: Member): Promise<readonly Connection[]> {
  const { linked } = await ownIdentities(deps, member);
  if (linked.length === 0) return [];
  const serving = await connectionsOf(deps, member);
  return serving.filter(({ id }) => linked.some(({ connectionId }) => connectionId === id));
}

async function byPassword(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { request, reply } = exchange;
  if (!member.hasPassword) return goTo(reply, confirmAgain(deps, exchange, member));
  const hasCode = member.account.totp !== undefined;
  reply.code(400);
  const errors = hasCode
    ? await checkOwnProofs(deps, exchange, member)
    : passwordError(await checkOwnPassword(deps, exchange, member));
  if (Object.keys(errors).length > 0) return refuse(deps, exchange, member, { errors: { ...errors } });
  const proofs: Proof[] = [{ kind: 'password' }, ...(hasCode ? [{ kind: 'code' } as const] : [])];
  const session = await renewMember(deps, exchange, { session: member.session, proofs });
  return goOn(deps, exchange, request.body, { session });
}

/** The page again, for a form of before the password ended. */
function confirmAgain(deps: Deps, { request }: HttpExchange, { session }: Member): string {
  return pageAddress(deps, confirmPath, { session: session.id, ...placeOf(request.body) });
}

function passwordError(password: string | undefined) {
  return password === undefined ? {} : { password };
}

/** Only a passkey that verified the person counts, because it counts alone. */
async function byPasskey(
  deps: Deps,
  exchange: HttpExchange,
  { member, party }: { member: Member; party: RelyingParty },
): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const response = formText(request.body, 'response');
  const outcome = await checkPasskey(deps, {
    ...{ response, party, binding: bindingOf(member), ...originOf(request) },
    isAlone: true,
    isKnownBrowser: true,
  });
  const { texts: t, language } = member.visit;
  if (outcome.kind === 'locked')
    return refuse(deps, exchange, member, { alert: answerLocked(reply, language, outcome) });
  if (outcome.kind === 'wrong') {
    reply.code(400);
    return refuse(deps, exchange, member, { alert: t.passkeys.wrong });
  }
  const proofs: Proof[] = [{ kind: 'passkey', ...outcome.passkey }];
  const session = await renewMember(deps, exchange, { session: member.session, proofs });
  return goOn(deps, exchange, request.body, { session });
}

function refuse(
  deps: Deps,
  { request, reply }: HttpExchange,
  { visit, session }: Member,
  refusal: FormRefusal,
): FastifyReply {
  const query = { session: session.id, ...placeOf(request.body) };
  return refuseForm(deps, reply, { visit, path: confirmPath, query }, refusal);
}
