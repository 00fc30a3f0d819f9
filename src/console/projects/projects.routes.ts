import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { assignmentKinds } from './assignment.js';
import {
  assignmentPage,
  removeAssignmentPage,
  setProjectRoles,
  takeProjectRoles,
} from './assignment-page.js';
import { addAssignmentPage, assignmentsPage, giveProjectRoles } from './assignments-page.js';
import { generalPage, saveProject } from './general-page.js';
import { addProjectPage, projectsPage, saveNewProject } from './projects-page.js';
import { removeConfirmedProject, removeProjectPage } from './remove-project.js';
import { changeRole, removeConfirmedRole, removeProjectRolePage, rolePage } from './role-page.js';
import { addRole, rolesPage } from './roles-page.js';

/** `/console/orgs/:orgId/projects`: groups of applications with their audience, their roles, and who has them. */
export function projectsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const list = '/console/orgs/:orgId/projects';
    const one = `${list}/:projectId`;
    pages.get(list, projectsPage);
    pages.get(`${list}/new`, async (visit) => addProjectPage(visit), { asksFirst: 'addProject' });
    pages.post(`${list}/new`, saveNewProject, { shownAt: `${list}/new`, returns: 'everything' });
    pages.get(one, async (visit) => generalPage(visit));
    pages.post(one, saveProject, { shownAt: one, returns: 'everything' });
    pages.get(`${one}/remove`, async (visit) => removeProjectPage(visit), { asksFirst: 'removeProject' });
    pages.post(`${one}/remove`, removeConfirmedProject, { shownAt: `${one}/remove`, returns: 'nothing' });

    const roles = `${one}/roles`;
    const role = `${roles}/:roleKey`;
    pages.get(roles, async (visit) => rolesPage(visit));
    pages.post(roles, addRole, { shownAt: roles, returns: 'everything' });
    pages.get(role, async (visit) => rolePage(visit));
    pages.post(role, changeRole, { shownAt: role, returns: 'everything' });
    pages.get(`${role}/remove`, async (visit) => removeProjectRolePage(visit), {
      asksFirst: 'removeProjectRole',
    });
    pages.post(`${role}/remove`, removeConfirmedRole, { shownAt: `${role}/remove`, returns: 'nothing' });

    for (const kind of assignmentKinds) {
      const all = `${one}/${kind}`;
      const holder = `${all}/:holderId`;
      pages.get(all, async (visit) => assignmentsPage(visit, kind));
      // The forms give roles, so nothing of them would come back. The sign-in that they need comes first.
      pages.get(`${all}/new`, async (visit) => addAssignmentPage(visit, kind), {
        asksFirst: 'addProjectGrant',
      });
      pages.post(`${all}/new`, (visit) => giveProjectRoles(visit, kind), {
        shownAt: `${all}/new`,
        returns: 'everything',
      });
      pages.get(holder, async (visit) => assignmentPage(visit, kind), { asksFirst: 'changeProjectGrant' });
      pages.post(holder, (visit) => setProjectRoles(visit, kind), { shownAt: holder, returns: 'everything' });
      pages.get(`${holder}/remove`, async (visit) => removeAssignmentPage(visit, kind), {
        asksFirst: 'removeProjectGrant',
      });
      pages.post(`${holder}/remove`, (visit) => takeProjectRoles(visit, kind), {
        shownAt: `${holder}/remove`,
        returns: 'nothing',
      });
    }
  };
}
