import type { Connection } from '#src/connections/registry/index.js';
import { allowedFirstFactors, type Organization } from '#src/directory/index.js';
import { form, submit } from '#src/http/pages/form.js';
import { type Html, html } from '#src/http/pages/html.js';
import { pageAddress } from '#src/http/pages/page-address.js';
import { pathSegment } from '#src/platform/path-segment.js';
import { accountPlace } from '../http/to-account.js';
import type { Visit } from '../http/visit.js';
import type { LoginNeeds } from '../needs/needs.js';

/** The purpose of the form that leads to the provider of a connection. */
export function connectionPurpose(flow: string, connectionId: string): string {
  return `connection ${connectionId} ${flow}`;
}

/** The connections by which people of the organization of the page may sign in. An organization without any is known from memory. */
export async function connectionsOf(
  deps: Pick<LoginNeeds, 'caches' | 'clock'>,
  { organization }: Pick<Visit, 'organization'>,
): Promise<readonly Connection[]> {
  return organization === undefined ? [] : servingAt(deps, organization);
}

/** The connections of an organization by which a sign-in may begin. */
export async function servingAt(
  { caches, clock }: Pick<LoginNeeds, 'caches' | 'clock'>,
  { id, signInPolicy }: Pick<Organization, 'id' | 'signInPolicy'>,
): Promise<readonly Connection[]> {
  const serving = (await caches.connections.get(id)).filter(({ enabled }) => enabled);
  const isAllowed =
    serving.length > 0 && allowedFirstFactors(signInPolicy, clock.now()).includes('connection');
  return isAllowed ? serving : [];
}

/**
 * A button for each connection. Each is a form of its own, which works for this browser and this connection alone.
 * @param shown `isFresh`: whether the person must prove itself at the provider again
 */
export function connectionButtons(
  deps: Pick<LoginNeeds, 'config'>,
  { texts: t, flow, agent }: Pick<Visit, 'texts' | 'flow' | 'agent'>,
  {
    connections,
    toAccount,
    isFresh = false,
  }: { connections: readonly Connection[]; toAccount: boolean; isFresh?: boolean },
): Html {
  return html`${connections.map(({ id, orgId, name }) =>
    form({
      action: pageAddress(deps, `/login/connections/${pathSegment(orgId)}/${pathSegment(id)}`),
      agent,
      purpose: connectionPurpose(flow, id),
      hidden: { request: flow, ...(toAccount && { to: accountPlace }), ...(isFresh && { fresh: '1' }) },
      content: submit(t.signInWith(name)),
    }),
  )}`;
}
