import t from 'tap';
import { knownProblemText, problemTexts } from '#src/console/add-many/problems/known-problem.js';
import { conversionProblems } from '#src/migration/convert/reading/conversion-problems.js';

/** What "Add many" says of problems of a conversion. */

const placesOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

t.test('every problem has a text in each language, with the same places', async (t) => {
  for (const [id, english] of Object.entries(problemTexts.en)) {
    for (const [language, texts] of Object.entries(problemTexts)) {
      const text = texts[id as keyof typeof texts];
      t.same(placesOf(text), placesOf(english), `${language} ${id}`);
      if (language !== 'en') t.not(text, english, `${language} ${id}`);
      t.notMatch(text, /--|rules\.|[A-Z]+-[A-Z]+:/, 'nothing of the command');
    }
  }
  t.same(Object.keys(problemTexts.en).sort(), Object.keys(conversionProblems).sort());
});

t.test('values of a file are text, and short', async (t) => {
  const shown = knownProblemText('fr', { id: 'columnTwice', params: { name: `<b>${'x'.repeat(500)}` } });
  t.notMatch(String(shown), '<b>');
  t.ok(String(shown).length < 300);
  t.match(String(knownProblemText('de', { id: 'cells', params: { count: 1_234, expected: 3 } })), '1.234');
  t.match(String(knownProblemText('it')), 'Il file non va bene');
});
