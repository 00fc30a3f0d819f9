import type { SeveralOf } from '../choosing/several.js';
import { pathTo } from '../http/segments.js';
import { orAbsent } from '../resources/name-of-user.js';
import { apiOf, organizationOf } from '../resources/organization-of.js';

/** What can be done with several applications of the list. */
export const severalApplications: SeveralOf = {
  list: '/applications',
  label: ({ t }) => t.nav.applications,
  actions: ['deactivateApplications', 'activateApplications'],
  destroys: new Set(),
  organization: organizationOf,
  async nameOf(visit, id) {
    const path = pathTo(apiOf(visit, '/applications'), id);
    return (await orAbsent(visit.api.get<{ name: string }>(path)))?.name;
  },
  act: (visit, action, id) =>
    visit.api.send('PATCH', pathTo(apiOf(visit, '/applications'), id), {
      active: action === 'activateApplications',
    }),
};
