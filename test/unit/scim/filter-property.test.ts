import fc from 'fast-check';
import t from 'tap';
import { fuzzing } from '../../support/hostile/fuzz.js';
import { meantFilters, wordyUsers } from '../../support/scim/filter-arbitrary.js';
import { conditionFor } from './support/compiled.js';
import { matchesQuery } from './support/matches-query.js';
import { documentOf, userOf } from './support/users.js';

/** Random filters over random users. The compiled query must select exactly the users that the filter describes. */

t.test('random filters mean what they say', async (t) => {
  const settings = fuzzing(1_000);
  const people = fc.array(wordyUsers, { minLength: 4, maxLength: 10 });
  let tellingApart = 0;
  const property = fc.property(meantFilters, people, ({ text, holds }, given) => {
    fc.pre(Array.from(text).length <= 1000);
    const users = given.map((values, index) => ({ ...userOf({}, `id${index}`), ...values }));
    const query = conditionFor(text);
    const selected = users.filter((user) => matchesQuery(documentOf(user), query)).map(({ id }) => id);
    const meant = users.filter(holds).map(({ id }) => id);
    if (selected.join() !== meant.join()) throw new Error(`${text} selects [${selected}], means [${meant}]`);
    if (selected.length > 0 && selected.length < users.length) tellingApart++;
  });
  fc.assert(property, settings);
  t.ok(tellingApart > settings.numRuns / 10, `${tellingApart} filters selected some and not others`);
});
