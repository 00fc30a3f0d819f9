import type { FastifyPluginAsync } from 'fastify';
import type { Container } from '#src/container.js';
import { consolePages } from '../http/pages.js';
import { addDomain, changeDomain, domainsPage, removeDomain, removeDomainPage } from './domains-page.js';
import { addGrant, grantsPage, removeGrant } from './grants-page.js';
import { addMember, membersPage, removeMember } from './members-page.js';
import {
  migrationHookPage,
  putMigrationHook,
  removeMigrationHook,
  testMigrationHook,
} from './migration-hook-page.js';
import { putSchema, removeSchema, removeSchemaPage, schemaPage, schemasPage } from './schemas-page.js';
import { changePart, settingsPage } from './settings-page.js';

/** `/console/orgs/:orgId/settings`: the settings of an organization. */
export function settingsRoutes(container: Container): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, container, 'organization');
    const base = '/console/orgs/:orgId/settings';
    pages.get(base, async (visit) => settingsPage(visit));
    pages.post(`${base}/change/:part`, changePart);
    pages.get(`${base}/domains`, async (visit) => domainsPage(visit));
    pages.post(`${base}/domains`, addDomain);
    pages.post(`${base}/domains/:domainName/change`, changeDomain);
    pages.get(`${base}/domains/:domainName/remove`, async (visit) => removeDomainPage(visit));
    pages.post(`${base}/domains/:domainName/remove`, removeDomain);
    pages.get(`${base}/members`, async (visit) => membersPage(visit));
    pages.post(`${base}/members`, addMember);
    pages.post(`${base}/members/:membershipId/remove`, removeMember);
    pages.get(`${base}/schemas`, async (visit) => schemasPage(visit));
    pages.get(`${base}/schemas/edit`, async (visit) => schemaPage(visit));
    pages.post(`${base}/schemas/edit`, putSchema);
    pages.get(`${base}/schemas/remove`, async (visit) => removeSchemaPage(visit));
    pages.post(`${base}/schemas/remove`, removeSchema);
    pages.get(`${base}/migration`, async (visit) => migrationHookPage(visit));
    pages.post(`${base}/migration`, putMigrationHook);
    pages.post(`${base}/migration/test`, testMigrationHook);
    pages.post(`${base}/migration/remove`, removeMigrationHook);
    pages.get(`${base}/grants`, async (visit) => grantsPage(visit));
    pages.post(`${base}/grants`, addGrant);
    pages.post(`${base}/grants/:clientId/remove`, removeGrant);
  };
}
