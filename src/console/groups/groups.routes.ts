import type { FastifyPluginAsync } from 'fastify';
import { doSeveral, severalPage } from '../choosing/several.js';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { sayMember } from '../memberships/act-sentences.js';
import { changeMembers } from './change-members.js';
import { deleteGroup, deleteGroupPage } from './delete-group.js';
import { groupsPage } from './group-list.js';
import { groupPage } from './group-page.js';
import { addGroup, addGroupPage, renameGroup, renameGroupPage } from './name-group.js';
import { setGroupRoles } from './set-group-roles.js';
import { severalGroups } from './several-groups.js';

/** `/console/orgs/:orgId/groups`: the groups of an organization. */
export function groupsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const groups = '/console/orgs/:orgId/groups';
    const group = `${groups}/:groupId`;
    pages.get(groups, groupsPage);
    pages.get(`${groups}/new`, (visit) => addGroupPage(visit));
    pages.post(`${groups}/new`, addGroup, { shownAt: `${groups}/new`, returns: 'everything' });
    const actions = `${groups}/actions`;
    pages.get(actions, (visit) => severalPage(visit, severalGroups), { asksFirst: 'scimDeleteGroup' });
    pages.post(actions, (visit) => doSeveral(visit, severalGroups), { shownAt: actions, returns: 'nothing' });
    pages.get(group, (visit) => groupPage(visit));
    pages.get(`${group}/rename`, renameGroupPage);
    pages.post(`${group}/rename`, renameGroup, { shownAt: `${group}/rename`, returns: 'everything' });
    pages.get(`${group}/delete`, (visit) => deleteGroupPage(visit), { asksFirst: 'scimDeleteGroup' });
    pages.post(`${group}/delete`, deleteGroup, { shownAt: `${group}/delete`, returns: 'nothing' });
    const atGroup = { shownAt: group, returns: 'nothing' } as const;
    pages.post(`${group}/roles`, setGroupRoles, { ...atGroup, returns: 'everything' });
    const atMembers = { ...atGroup, query: { user: 'user', after: 'after' } };
    pages.post(`${group}/members/:userId/add`, (visit) => changeMembers(visit, true), {
      ...atMembers,
      says: (visit) => sayMember(visit, true),
    });
    pages.post(`${group}/members/:userId/remove`, (visit) => changeMembers(visit, false), {
      ...atMembers,
      says: (visit) => sayMember(visit, false),
    });
  };
}
