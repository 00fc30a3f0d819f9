import { visitJson } from '../json/visit-json.js';
import type { PeopleFormat } from '../mapping/people-format.js';

/** JSON of any system. A mapping says what its values are. Without one, the names and the first values decide. */
export const anyJson: PeopleFormat = {
  system: 'JSON',
  members: [],
  shape:
    'it needs an array of objects, an object of objects, one of them under a key (--at), or an object on each line',
  visit: visitJson,
  makesIdentifiers: true,
  isGuessed: true,
  // The mapping brings everything.
  reader: () => () => ({ record: { user: { userName: '' } }, notes: [] }),
};
