import type { PeopleFormat } from '../mapping/people-format.js';

/** A table. A mapping says what its columns are. Without one, their names and the first values decide. */
export const csv: PeopleFormat = {
  system: 'a table',
  members: [],
  shape: 'it needs a header and rows',
  table: { isFirstLine: () => true, read: (row) => row },
  makesIdentifiers: true,
  isGuessed: true,
  // The mapping brings everything.
  reader: () => () => ({ record: { user: { userName: '' } }, notes: [] }),
};
