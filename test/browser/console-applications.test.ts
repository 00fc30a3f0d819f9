import t from 'tap';
import { addAssignment } from '#src/access/projects/add-assignment.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { buildListeningApp } from '../support/app/listening-app.js';
import { testEditor } from '../support/app/make.js';
import { makeApplication } from '../support/app/oauth-client.js';
import { makeHome, makePerson } from '../support/app/people.js';
import { makeOwner, walkConsole } from '../support/app/walk-console.js';
import { launchChromium } from '../support/network/chromium.js';
import { takenLooks } from '../support/network/looks.js';

/** The pages of applications, in a browser. */

const browser = await launchChromium(t);
if (browser === undefined) process.exit(0);

const { container, baseUrl } = await buildListeningApp(t, { loginFailureMilliseconds: 0 });
const home = await makeHome(container, { name: 'Lindgren & Söhne' });
const { id } = await makeApplication(container, home.id, { name: 'Tickets' });

const api = await makeApplication(container, home.id, {
  type: 'api',
  name: 'Ticket service',
  projectId: 'tickets',
});
const person = await makePerson(container, home);
const project = { orgId: home.id, projectId: 'tickets', editor: testEditor };
await addProjectRole(container, { ...project, id: 'tickets' }, { key: 'agent', displayName: 'Agent' });
await addAssignment(container, { ...project, kind: 'grant', holderId: person.id, roles: ['agent'] });

const list = `/console/orgs/${home.id}/applications`;
const projects = `/console/orgs/${home.id}/projects`;
const pages = {
  applications: list,
  'applications-question': `${list}/actions?action=deactivateApplications&id=${id}`,
  'application-types': `${list}/new`,
  'application-new': `${list}/new?type=web`,
  application: `${list}/${id}`,
  'application-test': `${list}/${id}/test`,
  'application-connect': `${list}/${id}/connect`,
  'program-new': `${list}/new/program`,
  'api-connect': `${list}/${api.id}/connect?with=go`,
  'api-new': `${list}/new/api?caller=${id}`,
  api: `${list}/${api.id}`,
  'call-api-choice': `${list}/${id}/call`,
  'call-api': `${list}/${id}/call?api=${api.id}`,
  projects,
  'project-new': `${projects}/new`,
  project: `${projects}/tickets`,
  'project-roles': `${projects}/tickets/roles`,
  'project-role': `${projects}/tickets/roles/agent`,
  'project-grants': `${projects}/tickets/grants`,
  'project-grants-new': `${projects}/tickets/grants/new`,
  'project-grant': `${projects}/tickets/grants/${person.id}`,
  'project-grant-remove': `${projects}/tickets/grants/${person.id}/remove`,
  'project-groups': `${projects}/tickets/group-grants`,
  'project-members': `${projects}/tickets/members`,
  'project-remove': `${projects}/tickets/remove`,
};

for (const [width, language] of takenLooks([
  [390, 'es'],
  [1280, 'en'],
] as const)) {
  t.test(`${width} pixels wide, ${language}`, async (t) => {
    const userName = await makeOwner(container, home, language);
    await walkConsole(t, browser, { baseUrl, userName, width, pages });
  });
}
