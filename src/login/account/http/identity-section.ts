import { identitiesOf } from '#src/connections/identities/index.js';
import type { Connection } from '#src/connections/registry/index.js';
import { type Html, html } from '#src/http/pages/html.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { accountAddress, type Member } from './member.js';
import { section } from './section.js';

/** The page on which people link accounts of other services, and remove them. */
export const identitiesPath = '/account/identities';

/** The connections by which a person can sign in, and those by which the person may. */
export interface OwnIdentities {
  /** Each connection by which the person has an identity, once. */
  readonly linked: readonly { readonly connectionId: string; readonly name: string }[];
  /** Connections that let the person link an identity. */
  readonly linkable: readonly Connection[];
}

/** Reads the identities of a person. An organization without connections is known from memory. */
export async function ownIdentities(
  deps: Pick<LoginNeeds, 'caches' | 'identityLinks'>,
  { account: { user } }: Pick<Member, 'account'>,
): Promise<OwnIdentities> {
  const connections = await deps.caches.connections.get(user.orgId);
  if (connections.length === 0) return { linked: [], linkable: [] };
  const found = await identitiesOf(deps, { orgId: user.orgId, userId: user.id });
  const has = (id: string) => found.some(({ connectionId }) => connectionId === id);
  return {
    linked: connections.flatMap(({ id, name }) => (has(id) ? [{ connectionId: id, name }] : [])),
    linkable: connections.filter(({ id, enabled, linking }) => enabled && linking.byPerson && !has(id)),
  };
}

/** The part of the account page with the accounts of other services. Nothing if the person has none and may link none. */
export function identitySection(
  deps: Pick<LoginNeeds, 'config'>,
  member: Member,
  { linked, linkable }: OwnIdentities,
): Html | false {
  if (linked.length === 0 && linkable.length === 0) return false;
  const { texts } = member.visit;
  const { identities: t } = texts;
  const names = linked.length === 0 ? t.none : linked.map(({ name }) => name).join(', ');
  const content = html`<div class="row"><p>${names}</p>
<a class="button quiet small" href="${accountAddress(deps, identitiesPath, member)}">${texts.change}</a></div>`;
  return section({ id: 'identities', title: t.title, text: t.text, content });
}
