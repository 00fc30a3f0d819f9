import type { FastifyRequest } from 'fastify';
import type { Account } from '#src/accounts/index.js';
import type { Proof, RememberedBrowserProof } from '#src/authentication/proofs/index.js';
import {
  recallBrowser,
  rememberBrowser,
  rememberedMs,
} from '#src/authentication/remembered-browsers/index.js';
import { policyOf } from '#src/directory/index.js';
import { type HostCookie, hostCookie } from '#src/http/base/cookies.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { deviceOf } from '#src/http/device.js';
import { formText } from '#src/http/pages/form-text.js';
import { type Html, html } from '#src/http/pages/html.js';
import { newSecret } from '#src/platform/ids.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { SignInAtStep } from './begun-sign-in.js';

/** The people of a shared browser who can have it remembered. A secret is of one person, so that no cookie that was planted counts. */
const mostSecrets = 5;
/** The longest time that a policy can name. */
const cookieSeconds = 365 * 24 * 3600;
const secretsPattern = /^[\w-]{43}(?:\.[\w-]{43}){0,4}$/;

const name = 'remember';

/** The box by which a person asks not to be asked again. Nothing where the policy remembers no browser, or an application asks. */
export function rememberBox({
  visit: { texts: t },
  step,
  rememberedDays: days,
}: Pick<SignInAtStep, 'visit' | 'step' | 'rememberedDays'>): Html | false {
  if (days === 0 || !('askedBy' in step) || step.askedBy === 'application') return false;
  return html`<p class="check"><input type="checkbox" id="${name}" name="${name}" value="1" aria-describedby="${name}-hint"><label for="${name}">${t.remember.ask(days)}</label></p>
<p class="hint" id="${name}-hint">${t.remember.hint}</p>`;
}

/** Remembers the browser of a person who has proved a second factor, if the form asks for it and the policy allows it. */
export async function rememberIfAsked(
  deps: Pick<LoginNeeds, 'caches' | 'clock' | 'config' | 'events' | 'rememberedBrowsers'>,
  { request, reply }: HttpExchange,
  { account, proof }: { account: Account; proof: Proof },
): Promise<void> {
  // A recovery code is for a single sign-in.
  const by = byOf(proof);
  if (by === undefined || formText(request.body, name) !== '1') return;
  const organization = await deps.caches.organizations.get(account.user.orgId);
  const policy = policyOf(organization?.signInPolicy, account.user.id);
  if (rememberedMs(policy) === 0) return;
  const former = secretsOf(deps, request);
  const secret = newSecret();
  const { browser, system } = deviceOf(request);
  const device = { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
  if (!(await rememberBrowser(deps, { account, by, policy, secret, former, device }))) return;
  cookieOf(deps).write(reply, [secret, ...former].slice(0, mostSecrets).join('.'), cookieSeconds);
}

function byOf({ kind }: Proof): RememberedBrowserProof['by'] | undefined {
  return kind === 'code' || kind === 'passkey' || kind === 'mailCode' ? kind : undefined;
}

/** What the browser is good for in a sign-in of the person. A browser without a cookie costs no look-up. */
export function recallHere(
  deps: Pick<LoginNeeds, 'caches' | 'clock' | 'config' | 'rememberedBrowsers'>,
  request: FastifyRequest,
  { account, since }: { account: Account; since: number | undefined },
): Promise<RememberedBrowserProof | undefined> {
  return recallBrowser(deps, account, { secrets: secretsOf(deps, request), since });
}

function secretsOf(deps: Pick<LoginNeeds, 'config'>, request: FastifyRequest): string[] {
  const value = cookieOf(deps).read(request) ?? '';
  return secretsPattern.test(value) ? value.split('.') : [];
}

function cookieOf({ config }: Pick<LoginNeeds, 'config'>): HostCookie {
  return hostCookie(config, 'muster-browser');
}
