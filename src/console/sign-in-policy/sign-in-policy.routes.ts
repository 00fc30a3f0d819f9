import type { FastifyPluginAsync } from 'fastify';
import { consolePages } from '../http/pages.js';
import type { PageDeps } from '../http/serve-page.js';
import { policyPage, policyPath, takePolicy } from './policy-page.js';
import { cancelTrial, trialPage } from './trial-page.js';

/** `/console/orgs/:orgId/settings/sign-in-policy`: how the people of an organization must sign in. */
export function signInPolicyPages(deps: PageDeps): FastifyPluginAsync {
  return async (app) => {
    const pages = consolePages(app, deps, 'organization');
    const page = `/console/orgs/:orgId${policyPath}`;
    pages.get(page, async (visit) => policyPage(visit));
    pages.post(page, takePolicy, { shownAt: page, returns: 'everything' });
    const trial = `${page}/trials/:jobId`;
    pages.get(trial, async (visit) => trialPage(visit));
    pages.post(`${trial}/cancel`, cancelTrial, { shownAt: trial, returns: 'nothing' });
  };
}
