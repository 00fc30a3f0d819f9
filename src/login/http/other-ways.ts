import type { WayPage } from '#src/authentication/proofs/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { LoginNeeds } from '../needs/needs.js';
import type { SignInAtStep } from './begun-sign-in.js';
import { stepAddress } from './step-address.js';

/**
 * The links to the other pages that the step allows, and to other forms of the page itself. Only what leads to the same level is there, so
 * that no way is weaker than the rules.
 * @param here the page that shows them
 * @param forms of the page: an address, and what the link says
 */
export function otherWays(
  deps: Pick<LoginNeeds, 'config'>,
  { visit: { texts: t, flow }, step }: Pick<SignInAtStep, 'visit' | 'step'>,
  { here, forms = [] }: { here: WayPage; forms?: readonly { href: string; text: string }[] },
): Html | false {
  const pages = 'others' in step ? [step.page, ...step.others].filter((page) => page !== here) : [];
  const links = [
    ...forms,
    ...pages.map((page) => ({ href: stepAddress(deps, page, flow), text: t.ways[page] })),
  ];
  if (links.length === 0) return false;
  return html`<p class="hint">${t.ways.title}</p>
${links.map(({ href, text }) => html`<p><a href="${href}">${text}</a></p>`)}`;
}

/** Why the step asks for a second factor. */
export function whyAsked({
  visit: { texts: t, application },
  step,
}: Pick<SignInAtStep, 'visit' | 'step'>): string {
  const { why } = t;
  if (!('askedBy' in step)) return '';
  if (step.askedBy !== 'application') return why[step.askedBy];
  return application === undefined ? '' : why.application(application.name);
}
