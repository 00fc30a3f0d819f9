import type { ConsolePages } from '../http/pages.js';
import { isRefusal } from '../http/refused.js';
import type { ConsolePage } from '../http/respond.js';
import type { ConsoleVisit } from '../http/visit.js';
import { type ClientKind, type CredentialOutcome, clientPath } from './client.js';
import { type CredentialKind, removeCredential, removeCredentialPage } from './remove-credential.js';

/** How the credentials of one kind of client are added, and the page that shows them. */
interface CredentialPages {
  readonly client: ClientKind;
  readonly add: Readonly<
    Partial<Record<CredentialKind, (visit: ConsoleVisit) => Promise<CredentialOutcome>>>
  >;
  page(visit: ConsoleVisit, outcome: CredentialOutcome): Promise<ConsolePage>;
}

/**
 * Adds the forms for credentials below the page of a client. A secret is only in the response to its form. Every other form leads
 * back to the page, so that reloading changes nothing again.
 */
export function addCredentialPages(
  pages: ConsolePages,
  base: string,
  { client, add, page }: CredentialPages,
): void {
  for (const [kind, run] of Object.entries(add) as [CredentialKind, (typeof add)['keys'] & {}][]) {
    const answer = async (visit: ConsoleVisit) => {
      const outcome = await outcomeOf(visit, run);
      const isNothing = Object.keys(outcome).length === 0;
      return isNothing ? { goTo: `${clientPath(visit, client)}?done=saved` } : page(visit, outcome);
    };
    pages.post(`${base}/${kind}`, answer, { shownAt: base, returns: 'nothing' });
    const of = { client, kind };
    const removal = `${base}/${kind}/:credentialId/remove`;
    pages.get(removal, (visit) => removeCredentialPage(visit, of), { asksFirst: 'removeClientSecret' });
    pages.post(removal, (visit) => removeCredential(visit, of), { shownAt: removal, returns: 'nothing' });
  }
}

async function outcomeOf(
  visit: ConsoleVisit,
  run: (visit: ConsoleVisit) => Promise<CredentialOutcome>,
): Promise<CredentialOutcome> {
  try {
    return await run(visit);
  } catch (error) {
    if (isRefusal(error)) return { problem: error };
    throw error;
  }
}
