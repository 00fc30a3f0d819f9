import type { SeveralOf } from '../choosing/several.js';
import { param } from '../http/visit.js';
import { scimGroupPath } from '../resources/group.js';
import { orAbsent } from '../resources/name-of-user.js';
import { managedOrganization } from '../resources/named-organization.js';

/** What can be done with several groups of the list. */
export const severalGroups: SeveralOf = {
  list: '/groups',
  label: ({ t }) => t.nav.groups,
  actions: ['deleteGroups'],
  destroys: new Set(['deleteGroups']),
  organization: managedOrganization,
  async nameOf(visit, id) {
    const path = scimGroupPath(param(visit, 'orgId'), id);
    const query = { attributes: 'displayName' };
    return (await orAbsent(visit.api.get<{ displayName: string }>(path, query)))?.displayName;
  },
  act: (visit, _action, id) => visit.api.send('DELETE', scimGroupPath(param(visit, 'orgId'), id)),
};
