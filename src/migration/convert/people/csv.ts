import type { PeopleFormat } from '../mapping/people-format.js';
import { mappingOfColumns } from '../mapping/read-mapping.js';

/** A table. A mapping says what its columns are. Without one, columns with the names of targets are taken. */
export const csv: PeopleFormat = {
  system: 'a table',
  members: [],
  shape: 'it needs a header and rows',
  table: { isFirstLine: () => true, read: (row) => row },
  makesIdentifiers: true,
  mapping: (fields) => mappingOfColumns(Object.keys(fields)),
  // The mapping brings everything.
  reader: () => () => ({ record: { user: { userName: '' } }, notes: [] }),
};
