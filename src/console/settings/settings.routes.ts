import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { fieldText } from '../http/visit.js';
import { sayGiven } from '../memberships/act-sentences.js';
import { attributePage, putAttribute, removeAttribute, removeAttributePage } from './attribute-page.js';
import { domainProofPage, lookForRecord, startDomainProof } from './domain-proof-page.js';
import { addDomain, changeDomain, domainsPage, removeDomain, removeDomainPage } from './domains-page.js';
import { addGrant, grantsPage, removeGrant } from './grants-page.js';
import { removeLogo, uploadLogo } from './logo-upload.js';
import { addMember, membersPage, removeMember, removeMemberPage } from './members-page.js';
import {
  migrationHookPage,
  putMigrationHook,
  putPepper,
  removeMigrationHook,
  testMigrationHook,
} from './migration-hook-page.js';
import { removePepper } from './pepper-card.js';
import { previewPage } from './preview-page.js';
import { putSchema, removeSchema, removeSchemaPage, schemaPage, schemasPage } from './schemas-page.js';
import { changeSettings, settingsPage } from './settings-page.js';

/** `/console/orgs/:orgId/settings`: the settings of an organization. */
export function settingsRoutes(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const base = '/console/orgs/:orgId/settings';
    pages.get(base, async (visit) => settingsPage(visit));
    pages.post(`${base}/change/:form`, changeSettings, { shownAt: base, returns: 'everything' });
    pages.get(`${base}/preview`, previewPage);
    pages.upload(`${base}/logo`, uploadLogo, { shownAt: base });
    pages.post(`${base}/logo/remove`, removeLogo, { shownAt: base, returns: 'nothing' });

    const domains = `${base}/domains`;
    const domainRemoval = `${domains}/:domainName/remove`;
    pages.get(domains, async (visit) => domainsPage(visit));
    pages.post(domains, addDomain, { shownAt: domains, returns: 'everything' });
    pages.post(`${domains}/:domainName/change`, changeDomain, { shownAt: domains, returns: 'nothing' });
    const domainProof = `${domains}/:domainName/proof`;
    pages.post(domainProof, startDomainProof, { shownAt: domains, returns: 'nothing' });
    pages.get(domainProof, async (visit) => domainProofPage(visit));
    pages.post(`${domainProof}/check`, lookForRecord, { shownAt: domainProof, returns: 'nothing' });
    pages.get(domainRemoval, async (visit) => removeDomainPage(visit), { asksFirst: 'removeDomain' });
    pages.post(domainRemoval, removeDomain, { shownAt: domainRemoval, returns: 'nothing' });

    const members = `${base}/members`;
    pages.get(members, async (visit) => membersPage(visit));
    pages.post(members, addMember, {
      shownAt: members,
      returns: 'everything',
      says: (visit) => sayGiven(visit, fieldText(visit, 'userName')),
    });
    const memberRemoval = `${members}/:membershipId/remove`;
    pages.get(memberRemoval, async (visit) => removeMemberPage(visit), {
      asksFirst: 'removeOrganizationMembership',
    });
    pages.post(memberRemoval, removeMember, { shownAt: memberRemoval, returns: 'nothing' });

    const [schema, schemaRemoval] = [`${base}/schemas/edit`, `${base}/schemas/remove`];
    pages.get(`${base}/schemas`, async (visit) => schemasPage(visit));
    pages.get(schema, async (visit) => schemaPage(visit), { asksFirst: 'putExtensionSchema' });
    pages.post(schema, putSchema, { shownAt: schema, query: { id: 'edited' }, returns: 'everything' });
    const attribute = `${base}/schemas/attribute`;
    const ofAttribute = { id: 'id', name: 'name' };
    pages.get(attribute, async (visit) => attributePage(visit), { asksFirst: 'putExtensionSchema' });
    pages.post(attribute, putAttribute, { shownAt: attribute, query: ofAttribute, returns: 'everything' });
    pages.get(`${attribute}/remove`, async (visit) => removeAttributePage(visit), {
      asksFirst: 'putExtensionSchema',
    });
    pages.post(`${attribute}/remove`, removeAttribute, {
      shownAt: `${attribute}/remove`,
      query: ofAttribute,
      returns: 'nothing',
    });
    pages.get(schemaRemoval, async (visit) => removeSchemaPage(visit), {
      asksFirst: 'removeExtensionSchema',
    });
    pages.post(schemaRemoval, removeSchema, {
      shownAt: schemaRemoval,
      query: { id: 'id' },
      returns: 'nothing',
    });

    const hook = `${base}/migration`;
    pages.get(hook, async (visit) => migrationHookPage(visit));
    pages.post(hook, putMigrationHook, { shownAt: hook, returns: 'nothing' });
    pages.post(`${hook}/test`, testMigrationHook, { shownAt: hook, returns: { allBut: ['password'] } });
    pages.post(`${hook}/remove`, removeMigrationHook, { shownAt: hook, returns: 'nothing' });
    pages.post(`${hook}/pepper`, putPepper, { shownAt: hook, returns: 'nothing' });
    pages.post(`${hook}/pepper/remove`, removePepper, { shownAt: hook, returns: 'nothing' });

    const grants = `${base}/grants`;
    pages.get(grants, async (visit) => grantsPage(visit));
    pages.post(grants, addGrant, { shownAt: grants, returns: 'everything' });
    pages.post(`${grants}/:clientId/remove`, removeGrant, { shownAt: grants, returns: 'nothing' });
  };
}
