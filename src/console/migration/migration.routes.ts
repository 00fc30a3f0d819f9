import type { FastifyPluginAsync } from 'fastify';
import { withoutTraces } from '#src/http/pages/html.js';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { downloadErrors, downloadExport } from './downloads.js';
import { exportPage, startExport } from './export-page.js';
import {
  addressImportPath,
  bucketImportPath,
  importAddress,
  importBucket,
  importPage,
  importUpload,
} from './import-page.js';
import { cancelJob, jobPage } from './job-page.js';
import { jobsPage, migrationPage } from './migration-page.js';

/** `/console/migration`: imports, exports and their jobs, for owners of the instance. */
export function migrationRoutes(deps: PageDeps): FastifyPluginAsync {
  const { baseUrl } = deps.config;
  return async (app) => {
    const pages = consolePages(app, deps, 'instance');
    const base = '/console/migration';
    pages.get(base, migrationPage);
    pages.get('/console/service/jobs', jobsPage);

    // The forms hold files and keys of buckets. Nothing of them comes back after a sign-in, so the sign-in comes first.
    const importForm = { shownAt: `${base}/import`, heavy: 'migration' } as const;
    pages.get(`${base}/import`, async (visit) => importPage(visit), { asksFirst: 'import' });
    pages.upload(`${base}/import`, importUpload, importForm);
    pages.post(bucketImportPath, importBucket, { ...importForm, returns: 'nothing' });
    pages.post(addressImportPath, importAddress, { ...importForm, returns: 'nothing' });
    pages.get(`${base}/export`, (visit) => exportPage(visit), { asksFirst: 'export' });
    pages.post(`${base}/export`, startExport, {
      shownAt: `${base}/export`,
      returns: 'nothing',
      heavy: 'migration',
    });

    pages.get(`${base}/jobs/:id`, jobPage);
    pages.post(`${base}/jobs/:id/cancel`, cancelJob, { shownAt: `${base}/jobs/:id`, returns: 'nothing' });
    pages.get(`${base}/jobs/:id/errors`, downloadErrors);
    pages.get(`${base}/jobs/:id/result`, downloadExport);

    /** The address of earlier versions. */
    app.get('/operations/jobs', { config: { page: true }, schema: { hide: true } }, async (_request, reply) =>
      withoutTraces(reply).redirect(`${baseUrl}/console/service/jobs`, 308),
    );
  };
}
