import t from 'tap';
import { importedGender } from '#src/migration/format/imported-gender.js';

t.test('words stay, and constants of other systems become the words of OpenID Connect', async (t) => {
  for (const [given, kept] of [
    [undefined, undefined],
    ['GENDER_UNSPECIFIED', undefined],
    ['GENDER_FEMALE', 'female'],
    ['gender_male', 'male'],
    ['GENDER_DIVERSE', 'diverse'],
    ['GENDER_OTHER', 'GENDER_OTHER'],
    ['female', 'female'],
    ['Nonbinary', 'Nonbinary'],
    [0, undefined],
    [1, 'female'],
    [2, 'male'],
    [3, 'diverse'],
    [4, undefined],
    [-1, undefined],
  ] as const) {
    t.equal(importedGender(given), kept, JSON.stringify(given));
  }
});
