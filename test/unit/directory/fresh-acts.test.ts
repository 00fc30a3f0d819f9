import t from 'tap';
import { freshActs, freshnessOf, freshnessSentence, plainActs } from '#src/access/authority/fresh-acts.js';

t.test('an operation on the list needs it always, or in its case', async (t) => {
  t.equal(freshnessOf({ operationId: 'setGroupRoles', method: 'PUT' }), 'always');
  t.match(freshnessOf({ operationId: 'scimPatchGroup', method: 'PATCH' }), { if: /holds a role/ });
  t.match(freshnessOf({ operationId: 'getExport', method: 'GET' }), { if: /hashes/ });
  t.equal(freshnessOf({ operationId: 'endSessions', method: 'DELETE' }), 'never');
});

t.test('an operation on no list needs it, unless it reads', async (t) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    t.equal(freshnessOf({ operationId: 'somethingNew', method }), 'always', method);
  for (const method of ['GET', 'HEAD'])
    t.equal(freshnessOf({ operationId: 'somethingNew', method }), 'never', method);
  t.equal(freshnessOf({ operationId: undefined, method: 'POST' }), 'never', 'a route that only refuses');
});

t.test('the description of an operation says it', async (t) => {
  t.equal(freshnessSentence('setGroupRoles'), 'A person must have signed in a short time before.');
  t.match(
    freshnessSentence('scimBulk'),
    /^A person must have signed in a short time before, if an operation .*\.$/,
  );
  t.equal(freshnessSentence('endSessions'), undefined);
  for (const act of freshActs) t.notOk(act.if?.endsWith('.'), act.operationId);
  for (const [operationId, because] of plainActs) t.notOk(because.endsWith('.'), operationId);
});
