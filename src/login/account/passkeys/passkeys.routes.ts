import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { WebauthnCredential } from '#src/accounts/person-lists/index.js';
import {
  listPasskeys,
  readPasskeyLabel,
  relyingPartyOf,
  removePasskey,
  renamePasskey,
} from '#src/authentication/passkeys/index.js';
import { guardFactors, type Proof, type TimedProof } from '#src/authentication/proofs/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo } from '#src/http/pages/page-address.js';
import { beginAnew } from '../../http/begin-anew.js';
import { showVisit } from '../../http/pages.js';
import { readRefusal, refuseForm } from '../../http/refused-form.js';
import { loginToAccount } from '../../http/to-account.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { isLastFactor } from '../http/last-factor.js';
import { type Member, readMemberPost, readSignedInMember, refuseMember } from '../http/member.js';
import { goToAccount } from '../http/show-account.js';
import { type Enroller, enrolmentOptions, enrolOwnPasskey } from './enrol-own-passkey.js';
import { confirmAddress, isFreshMember } from './fresh-member.js';
import { newPasskeyPage, passkeyPage } from './passkey-pages.js';

/** What these routes use. */
type Deps = Pick<
  LoginNeeds,
  | 'ableOwners'
  | 'accounts'
  | 'authorizationRequests'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'groupMembers'
  | 'identityLinks'
  | 'mongo'
  | 'passkeyChallenges'
  | 'refreshTokens'
  | 'refusedFormSealer'
  | 'relyingParty'
  | 'revocations'
  | 'sessions'
  | 'webauthnCredentials'
>;

const newPath = '/account/passkeys/new';
const editPath = '/account/passkeys/edit';

/**
 * The pages on which people add, rename and remove their passkeys. All of them need a fresh proof of another factor: see `fresh-member.ts`.
 * Without a name of the host there are none, because browsers keep passkeys for names.
 */
export function passkeyRoutes(deps: Deps): FastifyPluginAsync {
  const party = relyingPartyOf(deps.config);
  const login = loginToAccount(deps);
  return async (app) => {
    if (party === undefined) return;
    // A page about an error is shown at the address of its POST, and the person may open it again as a GET.
    for (const form of ['/account/passkeys', '/account/passkeys/remove'])
      app.get(form, (_request, reply) => goTo(reply, login));
    app.get(newPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      return member === undefined ? goTo(reply, login) : showNew(deps, { request, reply }, { member, party });
    });
    app.post('/account/passkeys', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'passkey');
      return member === undefined ? goTo(reply, login) : add(deps, { request, reply }, { member, party });
    });
    app.get(editPath, async (request, reply) => {
      const member = await readSignedInMember(deps, { request, reply });
      return member === undefined ? goTo(reply, login) : showEdit(deps, { request, reply }, member);
    });
    app.post(editPath, async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'passkey-edit');
      return member === undefined ? goTo(reply, login) : rename(deps, { request, reply }, member);
    });
    app.post('/account/passkeys/remove', async (request, reply) => {
      const member = await readMemberPost(deps, { request, reply }, 'passkey-remove');
      return member === undefined ? goTo(reply, login) : remove(deps, { request, reply }, member);
    });
  };
}

async function showNew(
  deps: Deps,
  exchange: HttpExchange,
  { member, party }: Enroller,
): Promise<FastifyReply> {
  const { reply } = exchange;
  const { visit } = member;
  if (!isFreshMember(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: newPath }));
  const options = await enrolmentOptions(deps, { member, party });
  const alert = readRefusal(deps, exchange, { visit, path: newPath })?.alert;
  return showVisit(deps, exchange, { visit, ...newPasskeyPage(deps, member, { options, alert }) });
}

/** Adds the passkey that the authenticator has made for the page. */
async function add(
  deps: Deps,
  { request, reply }: HttpExchange,
  { member, party }: Enroller,
): Promise<FastifyReply> {
  const { visit, session } = member;
  if (!isFreshMember(deps, member)) return goTo(reply, confirmAddress(deps, member, { next: newPath }));
  const reason = await enrolOwnPasskey(deps, { member, party }, formText(request.body, 'response'));
  if (reason === undefined) return goToAccount(deps, reply, { session, done: 'passkeyAdded' });
  reply.code(400);
  return refuseMember(deps, reply, { member, path: newPath }, { alert: visit.texts.passkeys[reason] });
}

/** The passkey that the request names, of this person. Undefined if there is none, or it was removed. */
async function namedPasskey(
  deps: Deps,
  source: unknown,
  { account: { user } }: Member,
): Promise<WebauthnCredential | undefined> {
  const named = formText(source, 'passkey');
  return (await listPasskeys(deps, user)).find(({ id }) => id === named);
}

async function showEdit(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const { visit, session } = member;
  const passkey = await namedPasskey(deps, request.query, member);
  if (passkey === undefined) return goToAccount(deps, reply, { session });
  if (!isFreshMember(deps, member))
    return goTo(reply, confirmAddress(deps, member, { next: editPath, passkey: passkey.id }));
  const refusal = readRefusal(deps, exchange, { visit, path: editPath });
  const shown = { passkey, typed: refusal?.typed['label'], error: refusal?.errors['label'] };
  return showVisit(deps, exchange, { visit, ...passkeyPage(deps, member, shown), alert: refusal?.alert });
}

async function rename(deps: Deps, { request, reply }: HttpExchange, member: Member): Promise<FastifyReply> {
  const { visit, session, account } = member;
  const passkey = await namedPasskey(deps, request.body, member);
  if (passkey === undefined) return goToAccount(deps, reply, { session });
  const { id: passkeyId } = passkey;
  if (!isFreshMember(deps, member))
    return goTo(reply, confirmAddress(deps, member, { next: editPath, passkey: passkeyId }));
  const typed = formText(request.body, 'label');
  const label = readPasskeyLabel(typed);
  if (label === undefined) {
    reply.code(400);
    const page = { visit, path: editPath, query: { session: session.id, passkey: passkeyId } };
    const errors = { label: visit.texts.passkeys.wrongName };
    return refuseForm(deps, reply, page, { typed: { label: typed }, errors });
  }
  if (label !== passkey.label) await renamePasskey(deps, { ...targetOf(account), passkeyId, label });
  return goToAccount(deps, reply, { session, done: 'passkeyRenamed' });
}

/** What the person has proved lately without the passkey. The new session counts from now. */
function proofsWithout(proofs: readonly TimedProof[], passkeyId: string): Proof[] {
  const isLeft = (proof: Proof) => proof.kind !== 'passkey' || proof.credentialId !== passkeyId;
  return proofs.filter(isLeft).map(({ time: _time, ...proof }) => proof);
}

/**
 * Removes a passkey. That ends every session of the person. This browser begins a new one, unless the session stood on that passkey alone.
 */
async function remove(deps: Deps, exchange: HttpExchange, member: Member): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const passkey = await namedPasskey(deps, request.body, member);
  if (passkey === undefined) return goToAccount(deps, reply, member);
  const { id: passkeyId } = passkey;
  if (!isFreshMember(deps, member))
    return goTo(reply, confirmAddress(deps, member, { next: editPath, passkey: passkeyId }));
  const guard = await guardFactors(deps, member.account.user);
  try {
    await removePasskey(deps, { ...targetOf(member.account), passkeyId, guard });
  } catch (error) {
    if (!isLastFactor(error)) throw error;
    reply.code(400);
    const { visit, session } = member;
    const page = { visit, path: editPath, query: { session: session.id, passkey: passkeyId } };
    return refuseForm(deps, reply, page, { alert: visit.texts.lastFactor });
  }
  const proofs = proofsWithout(member.session.proofs, passkeyId);
  if (proofs.length === 0) return goTo(reply, loginToAccount(deps));
  const session = await beginAnew(deps, exchange, { session: member.session, proofs });
  return goToAccount(deps, reply, { session, done: 'passkeyRemoved' });
}

function targetOf({ user: { orgId, id } }: Member['account']) {
  return { orgId, id, editor: { userId: id, service: 'account' } };
}
