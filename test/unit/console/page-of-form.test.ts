import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { pageOfForm } from '#src/console/http/returned-form.js';

t.test('a form leads back to its own page, and never through a dot segment', async (t) => {
  const page = (orgId: string) =>
    pageOfForm(
      { shownAt: '/console/orgs/:orgId/users/new', returns: 'everything' },
      { params: { orgId } } as unknown as FastifyRequest,
      true,
    );
  t.equal(page('a b'), '/console/orgs/a%20b/users/new');
  for (const orgId of ['.', '..']) t.equal(page(orgId), '/console', orgId);
});
