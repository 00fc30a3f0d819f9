import type { PeopleFormat } from '../convert-people.js';

/** A table. A mapping says what its columns are. Without one, columns with the names of targets are taken. */
export const csv: PeopleFormat = {
  system: 'a table',
  members: [],
  table: { isFirstLine: () => true, read: (row) => row },
  mapsColumns: true,
  // The mapping brings everything.
  reader: () => () => ({ record: { user: { userName: '' } }, notes: [] }),
};
