import { foldCase, type SearchKeys } from '#src/directory/index.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';

/** What a search compares of a user. */
interface Searched {
  readonly _id: string;
  readonly search: Pick<SearchKeys, 'userName' | 'familyName' | 'givenName' | 'primaryEmail'>;
}

/** Some users whom a search finds: a range of one index, and what the index does not say. */
export interface SearchStep {
  /** The field of the index, in whose order the users come. */
  readonly field:
    | '_id'
    | 'search.userName'
    | 'search.familyName'
    | 'search.givenName'
    | 'search.primaryEmail'
    | 'created'
    | 'lastModified';
  /** Absent for all users. */
  readonly range?: string | { $gte: string; $lt?: string };
  matches(user: Searched): boolean;
}

type Part = keyof Searched['search'];

/** A shorter text is rather the beginning of a name. */
const shortestId = 8;

const fields = ['userName', 'familyName', 'givenName', 'primaryEmail'] as const satisfies readonly Part[];

/**
 * Returns where to look for a text, the closest matches first: the beginnings of the userName, the names and the primary address, and
 * then a whole identifier. A text of several words can be a whole name, in either order, and the index of the longer word then has the fewer
 * users. A user may be found by several steps.
 * @param text of a person. Letter case and spaces at its ends do not matter
 */
export function searchSteps(text: string): readonly SearchStep[] {
  const folded = foldCase(text.trim().replace(/\s+/g, ' '));
  if (folded === '') return [{ field: 'search.userName', matches: () => true }];
  const steps: SearchStep[] = fields.map((part) => beginning({ [part]: folded }, part));
  const id = text.trim();
  if (id.length >= shortestId) steps.push({ field: '_id', range: id, matches: ({ _id }) => _id === id });
  const [first = '', ...others] = folded.split(/,? /);
  const rest = others.join(' ');
  if (rest === '') return steps;
  return [
    ...steps,
    beginning(
      { givenName: first, familyName: rest },
      rest.length < first.length ? 'givenName' : 'familyName',
    ),
    beginning(
      { familyName: first, givenName: rest },
      first.length < rest.length ? 'givenName' : 'familyName',
    ),
  ];
}

/** The users each of whose named parts begins with a text. */
function beginning(prefixes: { readonly [P in Part]?: string }, part: Part): SearchStep {
  const wanted = Object.entries(prefixes) as [Part, string][];
  return {
    field: `search.${part}`,
    range: prefixRange(prefixes[part] ?? ''),
    matches: ({ search }) => wanted.every(([name, prefix]) => search[name]?.startsWith(prefix) === true),
  };
}
