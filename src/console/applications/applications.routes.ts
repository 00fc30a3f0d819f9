import type { FastifyPluginAsync } from 'fastify';
import { doSeveral, severalPage } from '../choosing/several.js';
import { allowAddresses, connectApplicationPage } from '../connect/connect-page.js';
import { addNewProgram, newProgramPage } from '../connect/program-page.js';
import { addCredentialPages } from '../credentials/credential-pages.js';
import { addKey } from '../credentials/keys.js';
import { addSecret } from '../credentials/secrets.js';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { addApi, addApiPage } from './add-api.js';
import { addApplication, addApplicationPage } from './add-application.js';
import { applicationPage } from './application-page.js';
import { applicationsPage } from './applications-page.js';
import { callApiPage, giveProject, joinApi } from './call-api.js';
import { changeApplication, changeMark, setApplicationActive } from './change-application.js';
import { removeApplication, removeApplicationPage } from './remove-application.js';
import { severalApplications } from './several-applications.js';
import { testResultPage } from './testing/test-result.js';
import { runTest, testPage } from './testing/test-sign-in.js';

/** `/console/orgs/:orgId/applications`: the applications that sign people in. */
export function applicationsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const list = '/console/orgs/:orgId/applications';
    const one = `${list}/:id`;
    pages.get(list, applicationsPage);
    pages.get(`${list}/new`, async (visit) => addApplicationPage(visit), { asksFirst: 'addApplication' });
    pages.post(`${list}/new`, addApplication, {
      shownAt: `${list}/new`,
      query: { type: 'type', with: 'with' },
      returns: 'everything',
    });
    pages.get(`${list}/new/api`, async (visit) => addApiPage(visit), { asksFirst: 'addApplication' });
    pages.post(`${list}/new/api`, addApi, {
      shownAt: `${list}/new/api`,
      query: { caller: 'caller' },
      returns: 'everything',
    });
    pages.get(`${list}/new/program`, async (visit) => newProgramPage(visit), {
      asksFirst: 'addClientSecret',
    });
    pages.post(`${list}/new/program`, addNewProgram, {
      shownAt: `${list}/new/program`,
      returns: 'everything',
    });
    const actions = `${list}/actions`;
    pages.get(actions, (visit) => severalPage(visit, severalApplications), {
      asksFirst: 'changeApplication',
    });
    pages.post(actions, (visit) => doSeveral(visit, severalApplications), {
      shownAt: actions,
      returns: 'nothing',
    });
    pages.get(one, async (visit) => applicationPage(visit));
    pages.post(one, changeApplication, { shownAt: one, returns: 'everything' });
    pages.post(`${one}/active`, setApplicationActive, { shownAt: one, returns: 'nothing' });
    pages.post(`${one}/mark`, changeMark, { shownAt: one, returns: 'nothing' });
    pages.post(`${one}/project`, giveProject, { shownAt: one, returns: 'nothing' });
    pages.get(`${one}/connect`, async (visit) => connectApplicationPage(visit));
    pages.post(`${one}/connect`, allowAddresses, {
      shownAt: `${one}/connect`,
      query: { with: 'with' },
      returns: 'nothing',
    });
    pages.get(`${one}/call`, async (visit) => callApiPage(visit));
    pages.post(`${one}/call`, joinApi, {
      shownAt: `${one}/call`,
      query: { api: 'api' },
      returns: 'nothing',
    });
    pages.get(`${one}/test`, async (visit) => testPage(visit));
    pages.post(`${one}/test`, runTest, { shownAt: `${one}/test`, returns: 'nothing' });
    pages.get(`${one}/remove`, async (visit) => removeApplicationPage(visit), {
      asksFirst: 'removeApplication',
    });
    pages.post(`${one}/remove`, removeApplication, { shownAt: `${one}/remove`, returns: 'nothing' });
    addCredentialPages(pages, one, {
      client: 'applications',
      add: {
        secrets: (visit) => addSecret(visit, 'applications'),
        keys: (visit) => addKey(visit, 'applications'),
      },
      page: applicationPage,
    });
    consolePages(app, deps, 'anyone').get('/console/test-sign-in', testResultPage);
  };
}
