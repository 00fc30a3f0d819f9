import { type Connection, canShowFreshness } from '#src/connections/registry/index.js';
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

/** Whether the provider can do what the waiting request demands of a sign-in. One that cannot show a fresh sign-in would be refused afterwards. */
export function canServe(
  { waiting }: Pick<Visit, 'waiting'>,
  connection: Connection,
  { isFresh = false }: { isFresh?: boolean } = {},
): boolean {
  const demandsFresh =
    isFresh || waiting?.prompts.includes('login') === true || waiting?.maxAge !== undefined;
  return !demandsFresh || canShowFreshness(connection);
}

/**
 * A button for each connection. Each is a form of its own, which works for this browser and this connection alone. In place of the button of a
 * provider that cannot do what is demanded, a sentence says so.
 * @param shown `isFresh`: whether the person must prove itself at the provider again
 */
export function connectionButtons(
  deps: Pick<LoginNeeds, 'config'>,
  visit: Pick<Visit, 'texts' | 'flow' | 'agent' | 'waiting'>,
  {
    connections,
    toAccount,
    isFresh = false,
  }: { connections: readonly Connection[]; toAccount: boolean; isFresh?: boolean },
): Html {
  const { texts: t, flow, agent } = visit;
  return html`${connections.map((connection) => {
    const { id, orgId, name } = connection;
    if (!canServe(visit, connection, { isFresh }))
      return html`<p class="soft">${t.connectionNotFresh(name)}</p>`;
    return form({
      action: pageAddress(deps, `/login/connections/${pathSegment(orgId)}/${pathSegment(id)}`),
      agent,
      purpose: connectionPurpose(flow, id),
      hidden: { request: flow, ...(toAccount && { to: accountPlace }), ...(isFresh && { fresh: '1' }) },
      content: submit(t.signInWith(name)),
    });
  })}`;
}
