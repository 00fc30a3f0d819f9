import { StartError } from '#src/platform/start-error.js';

/**
 * Why a record, or a whole file, cannot be converted. The names are stable: the console has a text for each in every language. What stands in
 * braces is a parameter.
 */
export const conversionProblems = {
  notJson: 'not JSON',
  notObject: 'not a JSON object',
  twoMembers: 'an object has two members of one name',
  reservedMember: 'a record has a member {name}',
  tooLong: 'longer than {most} bytes',
  notUtf8: 'not UTF-8',
  cells: '{count} cells, and the header has {expected}',
  notPerson: 'not a user of {system}: {lacks}',
  otherSystem: 'not a user of {system}: its members are of another system',
  noUserName: 'no user name',
  noAddress: 'no e-mail address',
  noName: 'no first or no last name',
  noIdentifier: 'no identifier',
  identifier: 'the identifier is not 1 to 200 visible ASCII characters, or it is . or ..',
  value: 'a value cannot be used',
  notText: '{name} has a value that is no text in UTF-8',
  notDate: '{name} is no date from 1970 until today',
  notFlag: '{name} must be true, yes, 1, false, no or 0; other words need values in the mapping',
  hashUnreadable: 'the password hash cannot be read',
  hashCost: 'the password hash costs too much',
  credentialsMissing: 'neither a password nor a verified address',
  hashAndPassword: 'both a password and a hash',
  clearPassword: 'a password in plain text; rules.clearPasswords of the mapping says what to do',
  longPassword:
    'PASSWORD-WEAK: the password has more than 200 characters, and no sign-in takes so many. --drop-hashes takes the person without it',
  secondFactor: 'a second factor that sign-ins here do not ask for; rules.secondFactors refuses it',
  secondFactorUnverified:
    'a second factor that sign-ins here do not ask for, and no verified address for the link of rules.secondFactors',
  tooManyGroups: 'more than {most} groups',
  groupName: 'another group has the name, apart from letter case',
  sameIdentifier: 'the same identifier as line {line}',
  sameName: 'the same userName as line {line}',
  groupUnnamed: 'a group has no {name}',
  groupTwice: 'it is there twice',
  subgroupNotObject: 'a subgroup is not a JSON object',
  subgroupsLost: 'the subgroups of a group that is left out are left out too',
  organizationUnnamed: 'organization {place} has no orgId',
  otherHash: 'another hash for the identifier of line {line}',
  noNameColumn: 'nothing here looks like a user name or an address',
  noPeople: 'nobody can be found',
  noList: 'no list of people',
  brokenEntry: 'no entry of LDIF',
  brokenJson: 'not JSON from line {line} on',
  brokenTable: 'a quotation mark is out of place',
  longRow: 'a row is too long',
  tooManyColumns: 'more than {most} columns',
  severalRealms: 'the realms {list}',
  columnUnnamed: 'column {place} has no name',
  columnTwice: 'the column {name} is there twice',
  tooMuch: 'the file takes too much time or memory',
  other: 'it cannot be used',
} as const;

export type ConversionProblem = keyof typeof conversionProblems;

/** A problem for a page, which says it in the language of the person. */
export interface KnownProblem {
  readonly id: ConversionProblem;
  readonly params: Readonly<Record<string, string | number>>;
}

/** The sentence of a problem in English. `detail` is a whole sentence of its own. */
export function textOfProblem({ id, params }: KnownProblem): string {
  if (params['detail'] !== undefined) return String(params['detail']);
  return conversionProblems[id].replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

/** Raised for a file that cannot be converted as a whole. */
export class InputError extends StartError {
  readonly known: KnownProblem;

  /** @param params beside `detail`, the sentence */
  constructor(id: ConversionProblem, detail: string, params: KnownProblem['params'] = {}) {
    super(detail);
    this.known = { id, params };
  }
}
