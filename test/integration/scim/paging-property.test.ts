import fc from 'fast-check';
import t from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import { type Json, urn } from '../../support/scim/scim-client.js';

/**
 * For every order, filter and page size, the pages together are the complete list with each user once. This holds for
 * `startIndex` and for `cursor` (RFC 7644 section 3.4.2.4, RFC 9865). `FUZZ_SEED` repeats a run.
 */

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
const { tenant } = await openScim(t);
const scim = await tenant();
const total = 23;
for (let n = 0; n < total; n++) {
  await scim.create({
    userName: `user-${n}`,
    // Few names, so that many users share one.
    name: { givenName: ['Anna', 'anna', 'Bea'][n % 3], familyName: ['Zeller', 'Abel'][n % 2] },
    active: n % 5 !== 0,
    emails: [{ value: `${n % 4}@example.com`, type: 'work', primary: true }],
  });
}

interface Question {
  readonly sortBy?: string;
  readonly sortOrder?: string;
  readonly filter?: string;
}

const questions = fc.record<Question>(
  {
    sortBy: fc.constantFrom(
      'meta.created',
      'meta.lastModified',
      'id',
      'userName',
      'name.familyName',
      'name.givenName',
      'emails',
      'emails.value',
    ),
    sortOrder: fc.constantFrom('ascending', 'descending'),
    filter: fc.constantFrom(
      'active eq true',
      'name.givenName eq "ANNA"',
      'userName sw "user-1"',
      'emails.value co "1" or name.familyName eq "Abel"',
      'userName eq "nobody"',
    ),
  },
  { requiredKeys: [] },
);

async function page(question: Question, more: Record<string, string | number>): Promise<Json> {
  const { status, body, text } = await scim.post('/Users/.search', {
    schemas: [urn.searchRequest],
    attributes: ['userName'],
    ...question,
    ...more,
  });
  if (status !== 200) throw new Error(text);
  return body;
}

const idsOf = (body: Json): string[] => body.Resources.map(({ id }: Json) => id);

async function byIndex(question: Question, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const body = await page(question, { count, startIndex: ids.length + 1 });
    ids.push(...idsOf(body));
    if (body.Resources.length === 0 || ids.length >= body.totalResults) return ids;
  }
}

async function byCursor(question: Question, count: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined) {
    const body = await page(question, { count, cursor });
    ids.push(...idsOf(body));
    cursor = body.nextCursor;
  }
  return ids;
}

t.test('pages one after another are the list', async (t) => {
  const property = fc.asyncProperty(questions, fc.integer({ min: 2, max: 30 }), async (question, count) => {
    const name = JSON.stringify({ ...question, count });
    const whole = await page(question, { count: 100 });
    const ids = idsOf(whole);
    t.equal(whole.totalResults, ids.length, name);
    t.equal(new Set(ids).size, ids.length, `${name}: each once`);
    t.same(await byIndex(question, count), ids, `${name}: by startIndex`);
    t.same(await byCursor(question, count), ids, `${name}: by cursor`);
    const { sortOrder } = question;
    if (question.sortBy === undefined || sortOrder === undefined) return;
    const turned = sortOrder === 'ascending' ? 'descending' : 'ascending';
    const other = idsOf(await page({ ...question, sortOrder: turned }, { count: 100 }));
    t.same([...other].sort(), [...ids].sort(), `${name}: the other order has the same users`);
  });
  await fc.assert(property, { seed, numRuns: 25 });
});
