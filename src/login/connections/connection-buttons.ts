import type { Connection } from '#src/connections/registry/index.js';
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
  { caches }: Pick<LoginNeeds, 'caches'>,
  { organization }: Pick<Visit, 'organization'>,
): Promise<readonly Connection[]> {
  if (organization === undefined) return [];
  return (await caches.connections.get(organization.id)).filter(({ enabled }) => enabled);
}

/** A button for each connection. Each is a form of its own, which works for this browser and this connection alone. */
export function connectionButtons(
  deps: Pick<LoginNeeds, 'config'>,
  { texts: t, flow, agent }: Pick<Visit, 'texts' | 'flow' | 'agent'>,
  { connections, toAccount }: { connections: readonly Connection[]; toAccount: boolean },
): Html {
  return html`${connections.map(({ id, orgId, name }) =>
    form({
      action: pageAddress(deps, `/login/connections/${pathSegment(orgId)}/${pathSegment(id)}`),
      agent,
      purpose: connectionPurpose(flow, id),
      hidden: { request: flow, ...(toAccount && { to: accountPlace }) },
      content: submit(t.signInWith(name)),
    }),
  )}`;
}
