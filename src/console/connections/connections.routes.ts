import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { addConnectionPage, addTypedConnection } from './add-connection.js';
import { addSamlPage, addUploadedConnection } from './add-saml-connection.js';
import { changeConnectionPage, saveConnection } from './change-connection.js';
import { connectionPage, testProvider } from './connection-page.js';
import { connectionsPage } from './connections-page.js';
import { mappingPage, saveMapping } from './mapping-page.js';
import { metadataPage, saveMetadata } from './metadata-page.js';
import { removeConnectionPage, removeNamedConnection } from './remove-connection.js';
import { endNamedSetupLink, makeSetupLink, setupLinksPage } from './setup-links.js';
import { switchConnection, switchOffPage } from './switch-connection.js';
import { beginSignInTest, signInTestPage } from './test-sign-in.js';

/** `/console/orgs/:orgId/connections`: the outside providers by which people of an organization sign in. */
export function connectionsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const list = '/console/orgs/:orgId/connections';
    const one = `${list}/:connectionId`;
    const withoutSecret = { allBut: ['clientSecret'] } as const;
    pages.get(list, connectionsPage);
    pages.get(`${list}/new`, async (visit) => addConnectionPage(visit), { asksFirst: 'addConnection' });
    pages.post(`${list}/new`, addTypedConnection, {
      shownAt: `${list}/new`,
      query: { template: 'template' },
      returns: withoutSecret,
    });
    const saml = `${list}/new-saml`;
    pages.get(saml, async (visit) => addSamlPage(visit), { asksFirst: 'addConnection' });
    pages.upload(saml, addUploadedConnection, { shownAt: saml, query: { template: 'template' } });
    const setup = `${list}/setup`;
    pages.get(setup, async (visit) => setupLinksPage(visit), { asksFirst: 'addSetupLink' });
    pages.post(setup, makeSetupLink, { shownAt: setup, returns: 'everything' });
    pages.post(`${setup}/:setupLinkId/end`, endNamedSetupLink, { shownAt: setup, returns: 'nothing' });
    pages.get(one, async (visit) => connectionPage(visit));
    pages.post(`${one}/test`, testProvider, { shownAt: one, returns: 'nothing' });
    pages.get(`${one}/sign-in-tests/:testId`, signInTestPage);
    pages.post(`${one}/sign-in-tests`, beginSignInTest, { shownAt: one, returns: 'nothing' });
    pages.get(`${one}/change`, async (visit) => changeConnectionPage(visit), {
      asksFirst: 'changeConnection',
    });
    pages.post(`${one}/change`, saveConnection, { shownAt: `${one}/change`, returns: withoutSecret });
    const metadata = `${one}/metadata`;
    pages.get(metadata, async (visit) => metadataPage(visit), { asksFirst: 'changeConnection' });
    pages.upload(metadata, saveMetadata, { shownAt: metadata });
    const mapping = `${one}/mapping`;
    pages.get(mapping, async (visit) => mappingPage(visit), { asksFirst: 'changeConnection' });
    pages.post(mapping, saveMapping, { shownAt: mapping, returns: 'everything' });
    pages.post(`${one}/switch-on`, switchConnection(true), { shownAt: one, returns: 'nothing' });
    const off = `${one}/switch-off`;
    pages.get(off, switchOffPage, { asksFirst: 'changeConnection' });
    pages.post(off, switchConnection(false), { shownAt: off, returns: 'nothing' });
    const removal = `${one}/remove`;
    pages.get(removal, async (visit) => removeConnectionPage(visit), { asksFirst: 'removeConnection' });
    pages.post(removal, removeNamedConnection, { shownAt: removal, returns: 'nothing' });
  };
}
