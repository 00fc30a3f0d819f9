import { isOfState } from './account-state.js';
import { columnWord, meaningOfColumn } from './column-meaning.js';
import type { Column } from './columns-of.js';

/** A column that may become something. */
export interface Candidate {
  readonly column: Column;
  readonly place: number;
  /** A target of a mapping, or what says that an account is not active. */
  readonly target: string;
  readonly rank: number;
}

/** A column without values gives way to every other one. */
const rankOfEmpty = 1_000;
/** Before a column with the name of a target. */
const rankOfReal = -2;
/** Systems keep the number of a user under these names, and LDAP the user name. */
const numbersOrNames = ['uid', 'user'];

/** Looks at the candidates together: what a column has may depend on those beside it. */
export function settleCandidates(given: readonly Candidate[], columns: readonly Column[]): Candidate[] {
  const candidates = given
    .flatMap((one) => settleUserName(one))
    .map((one) => ({ ...one, rank: rankOf(one) }));
  const hasUserName = candidates.some(
    ({ target, column }) => target === 'userName' && column.values.length > 0,
  );
  const namer = hasUserName ? undefined : userNameAmong(candidates, columns);
  const named = candidates.map((one) =>
    one.column === namer ? { ...one, target: 'userName', rank: 0 } : one,
  );
  return [...named, ...regionAmong(candidates, columns)];
}

function rankOf({ column, rank }: Candidate): number {
  if (column.values.length === 0) return rank + rankOfEmpty;
  // Zulip makes up `email` for those who hide their address, and has it here.
  return columnWord(column) === 'deliveryemail' ? rankOfReal : rank;
}

/** A number named `uid` is an identifier, and so is the long one of Firebase. A `login` with moments tells when somebody signed in. */
function settleUserName(one: Candidate): Candidate[] {
  const { column, target } = one;
  const { values } = column;
  if (target !== 'userName' || values.length === 0) return [one];
  if (columnWord(column) === 'login' && values.every((value) => /^(?:0|1\d{9}(?:\d{3})?)$/.test(value)))
    return [];
  if (!numbersOrNames.includes(columnWord(column))) return [one];
  if (areNumbers(values)) return [{ ...one, target: 'externalId' }];
  return values.every(isOpaque) ? [{ ...one, target: 'id' }] : [one];
}

/** The column that has the user names where none is called so. */
function userNameAmong(candidates: readonly Candidate[], columns: readonly Column[]): Column | undefined {
  const withTarget = (target: string) =>
    candidates.filter((one) => one.target === target && one.column.values.length > 0);
  const [id] = candidates.filter(({ column }) => columnWord(column) === 'userid');
  // Nextcloud's `user_id` is what people type.
  if (id !== undefined && id.column.values.length > 0 && id.column.values.every(isTyped)) return id.column;
  const shown = withTarget('displayName');
  const name = shown.find(({ column }) => columnWord(column) === 'name');
  const hasParts = [...withTarget('name.givenName'), ...withTarget('name.familyName')].length > 0;
  if (name === undefined || new Set(name.column.values).size < name.column.values.length) return undefined;
  // Drupal counts its users by `uid`, and `name` is what they type.
  const isOfDrupal = columns.some((one) => columnWord(one) === 'uid' && areNumbers(one.values));
  const isTypedAlone = name.column.values.every((value) => /^[^\s@]{1,64}$/.test(value)) && !hasParts;
  // Gitea has `full_name` beside it, and OpenStack no address.
  const hasOther = shown.length > 1 || withTarget('email').length === 0;
  return isOfDrupal || (isTypedAlone && hasOther) ? name.column : undefined;
}

/** `state` beside a city is a part of an address. */
function regionAmong(candidates: readonly Candidate[], columns: readonly Column[]): Candidate[] {
  const ofAddress = ['addresses.locality', 'addresses.postalCode', 'addresses.streetAddress'];
  const place = columns.findIndex((one) => one.path.length === 1 && columnWord(one) === 'state');
  const column = columns[place];
  const isFree = column !== undefined && !candidates.some((one) => one.column === column);
  if (!isFree || !candidates.some(({ target }) => ofAddress.includes(target))) return [];
  return [{ column, place, target: 'addresses.region', rank: 0 }];
}

/**
 * The columns whose names say that they tell which accounts may be used, if nobody knows their words. A word may say who is online: it counts only
 * if no other column tells anything. A number is a state.
 */
export function unknownStatesAmong(columns: readonly Column[], chosen: readonly Candidate[]): Column[] {
  const isKnown = chosen.some(({ target, column }) => isOfState(target) && column.values.length > 0);
  return columns.filter((column) => {
    const { target = '' } = meaningOfColumn(column) ?? {};
    const isNumber = areNumbers(column.values);
    // A `state` may be a part of an address.
    const mayBeState = isNumber || (!isKnown && columnWord(column) !== 'state');
    // WordPress has 0 as the status of everybody.
    const saysSomething = column.values.some((value) => value !== '0');
    const isNamedSo = target === 'active' || target === 'inactive';
    return isNamedSo && mayBeState && saysSomething && !chosen.some((one) => one.column === column);
  });
}

function areNumbers(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => /^\d+$/.test(value));
}

/** An identifier that a program made, and nobody types: a UUID, or letters of both cases and digits. */
function isOpaque(value: string): boolean {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|^[0-9a-f]{24}$|^[0-9a-f]{32}$/i.test(value)) return true;
  return (
    /^[A-Za-z0-9]{20,128}$/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)
  );
}

function isTyped(value: string): boolean {
  return /^[a-z][a-z._-]{0,40}\d{0,4}$/i.test(value);
}
