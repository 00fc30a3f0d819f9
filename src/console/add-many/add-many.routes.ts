import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import { downloadDifferences, downloadErrors } from '../migration/downloads.js';
import type { ConsoleNeeds } from '../needs/needs.js';
import { addManyPage, takeCells, takeFile } from './add-many-page.js';
import { beginExport, downloadOwnExport, exportJobPage, ownExportPage } from './export-page.js';
import { importJobPage, sendLinks } from './import-job-page.js';
import { reviewPage, runUpload } from './review-page.js';

/** Many users of an organization at once, for its owners: in at `/console/orgs/:orgId/users/many`, out at `/users/export`. */
export function addManyRoutes(deps: ConsoleNeeds): FastifyPluginAsync {
  const canMail = deps.mailLink !== undefined;

  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const users = '/console/orgs/:orgId/users';
    const many = `${users}/many`;
    // Nothing of a file comes back after a sign-in, so the sign-in that the import needs comes first.
    pages.get(many, (visit) => addManyPage(visit), { asksFirst: 'importIntoOrganization' });
    pages.upload(many, (visit, upload) => takeFile(deps, visit, upload), {
      shownAt: many,
      heavy: 'migration',
    });
    pages.post(`${many}/cells`, (visit) => takeCells(deps, visit), {
      ...{ shownAt: many, returns: 'nothing', heavy: 'migration' },
      formBytes: 1_000_000,
    });
    pages.get(`${many}/:kept`, (visit) => reviewPage(deps, visit), { heavy: 'migration' });
    pages.post(`${many}/:kept/run`, (visit) => runUpload(deps, visit), {
      ...{ shownAt: `${many}/:kept`, returns: 'nothing', heavy: 'migration' },
    });
    const job = `${many}/jobs/:jobId`;
    pages.get(job, (visit) => importJobPage({ ...deps, canMail }, visit));
    pages.get(`${many}/jobs/:id/errors`, downloadErrors);
    pages.get(`${many}/jobs/:id/differences`, downloadDifferences);
    pages.post(`${job}/links`, sendLinks, { shownAt: job, returns: 'nothing' });

    pages.get(`${users}/export`, (visit) => ownExportPage(visit));
    pages.post(`${users}/export`, beginExport, {
      ...{ shownAt: `${users}/export`, returns: 'nothing', heavy: 'migration' },
    });
    pages.get(`${users}/export/jobs/:id`, exportJobPage);
    pages.get(`${users}/export/jobs/:id/result`, downloadOwnExport);
  };
}
