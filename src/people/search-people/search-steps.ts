import { foldCase, type LooseName, looseKey, type SearchKeys } from '#src/directory/index.js';
import { prefixRange } from '#src/platform/mongo/prefix-range.js';

/** What a search compares of a user. */
interface Searched {
  readonly _id: string;
  readonly search: Pick<SearchKeys, 'userName' | 'familyName' | 'givenName' | 'primaryEmail' | 'loose'>;
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
    | `search.loose.${LooseName}`
    | 'created'
    | 'lastModified';
  /** Absent for all users. */
  readonly range?: string | { $gte: string; $lt?: string };
  matches(user: Searched): boolean;
}

type SearchedField = Exclude<keyof Searched['search'], 'loose'>;

/** A shorter text is rather the beginning of a name. */
const shortestId = 8;

const fields = [
  'userName',
  'familyName',
  'givenName',
  'primaryEmail',
] as const satisfies readonly SearchedField[];

/**
 * Returns where to look for a text, the closest matches first: the beginnings of the userName, the names and the primary address, then a
 * whole identifier, and then names that are written in another way. A text of several words can be a whole name, in either order, and the
 * index of the longer word then has the fewer users. A user may be found by several steps.
 * @param text of a person. Letter case and spaces at its ends do not matter
 */
export function searchSteps(text: string): readonly SearchStep[] {
  const folded = foldCase(text.trim().replace(/\s+/g, ' '));
  if (folded === '') return [{ field: 'search.userName', matches: () => true }];
  const steps: SearchStep[] = fields.map((field) => beginning(field, folded));
  const id = text.trim();
  if (id.length >= shortestId) steps.push({ field: '_id', range: id, matches: ({ _id }) => _id === id });
  for (const field of fields) steps.push(...looseBeginnings(field, folded));
  const [first = '', ...others] = folded.split(/,? /);
  const rest = others.join(' ');
  if (rest === '') return steps;
  return [
    ...steps,
    ...wholeNames({ givenName: first, familyName: rest }, rest.length < first.length),
    ...wholeNames({ familyName: first, givenName: rest }, first.length < rest.length),
  ];
}

/** The users one of whose names begins with a text, and who fulfil a condition. */
function beginning(
  field: SearchedField,
  prefix: string,
  also: SearchStep['matches'] = () => true,
): SearchStep {
  return {
    field: `search.${field}`,
    range: prefixRange(prefix),
    matches: (user) => user.search[field]?.startsWith(prefix) === true && also(user),
  };
}

/**
 * The users one of whose names begins with a text in another way of writing. A name without a loose key is its own. Nothing begins with a
 * text of which nothing is left, such as an apostrophe.
 */
function looseBeginnings(
  field: SearchedField,
  folded: string,
  also: SearchStep['matches'] = () => true,
): SearchStep[] {
  const prefix = looseKey(folded);
  if (prefix === '') return [];
  const plain = prefix === folded ? [] : [beginning(field, prefix, also)];
  if (field === 'primaryEmail') return plain;
  const loose: SearchStep = {
    field: `search.loose.${field}`,
    range: prefixRange(prefix),
    matches: (user) => user.search.loose?.[field]?.startsWith(prefix) === true && also(user),
  };
  return [...plain, loose];
}

/** The users whose names both begin so, however they are written. The range is that of one of the names. */
function wholeNames(
  names: Readonly<Record<'givenName' | 'familyName', string>>,
  byGivenName: boolean,
): SearchStep[] {
  const [field, other] = byGivenName
    ? (['givenName', 'familyName'] as const)
    : (['familyName', 'givenName'] as const);
  const prefix = looseKey(names[other]);
  const also = ({ search }: Searched) =>
    (search.loose?.[other] ?? search[other])?.startsWith(prefix) === true ||
    search[other]?.startsWith(names[other]) === true;
  return [beginning(field, names[field], also), ...looseBeginnings(field, names[field], also)];
}
