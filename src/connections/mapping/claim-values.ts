import type { Connection } from '../registry/connection.js';
import {
  type ClaimMapping,
  longestClaimValue,
  type MappedAttribute,
  mostClaimTexts,
} from '../registry/mapping.js';

export type Claims = Readonly<Record<string, unknown>>;

/** What a connection says about claims. */
export type ReadsClaims = Pick<Connection, 'claims' | 'mapping'>;

/** The value that claims give an attribute, by the table of the connection. A claim that is no text, or too long, is not read. */
export function mappedText(
  { claims: names, mapping }: ReadsClaims,
  attribute: MappedAttribute,
  claims: Claims,
): string | undefined {
  const row = mapping.values.find(({ to }) => to === attribute);
  if (row === undefined)
    return names[attribute] === undefined ? undefined : firstText(claims, names[attribute]);
  const { from, constant, lowerCase = false } = row;
  const [found = constant] = from.flatMap((name) => firstText(claims, name) ?? []);
  return lowerCase ? found?.toLowerCase() : found;
}

/**
 * The values that claims give an attribute that is a list, each once: every text of the first claim that has one. A claim that is an empty list takes the values
 * away. Undefined if the claims say nothing, or more than is read, or if the provider left out the claim that may have counted.
 */
export function mappedTexts(
  { claims: names, mapping }: ReadsClaims,
  attribute: MappedAttribute,
  claims: Claims,
): string[] | undefined {
  const row = mapping.values.find(({ to }) => to === attribute);
  const from = row?.from ?? [names[attribute]].flatMap((name) => name ?? []);
  const counting = from.find((name) => isLeftOut(claims, name) || textsOf(claims, name).length > 0);
  if (counting !== undefined && isLeftOut(claims, counting)) return undefined;
  const isEmptied = from.some((name) => isEmptyList(claims, name));
  const others = row?.constant === undefined ? undefined : [row.constant];
  const found = counting === undefined ? (others ?? (isEmptied ? [] : undefined)) : textsOf(claims, counting);
  const texts = row?.lowerCase === true ? found?.map((text) => text.toLowerCase()) : found;
  return texts && [...new Set(texts)];
}

function isEmptyList(claims: Claims, name: string): boolean {
  const given = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return Array.isArray(given) && given.length === 0;
}

/** The memberships that claims give and take. */
export interface MappedMemberships {
  readonly joins: ReadonlySet<string>;
  readonly leaves: ReadonlySet<string>;
  /** Claims that the provider left out because they are too long, and lists that are longer than what is read. What they would say is not guessed. */
  readonly leftOut: readonly string[];
}

/** Returns the groups of the table of which the person is a member by its claims, and those of which it is none. */
export function mappedMemberships(
  { groups }: Pick<ClaimMapping, 'groups'>,
  claims: Claims,
): MappedMemberships {
  const names = new Set(groups.map(({ claim }) => claim));
  const leftOut = [...names].filter((name) => isLeftOut(claims, name));
  const texts = new Map([...names].map((name) => [name, new Set(textsOf(claims, name))]));
  const joins = new Set(
    groups.flatMap(({ claim, value, groupId }) => (texts.get(claim)?.has(value) === true ? [groupId] : [])),
  );
  const unknown = new Set(groups.flatMap(({ claim, groupId }) => (leftOut.includes(claim) ? [groupId] : [])));
  const leaves = new Set(
    groups.flatMap(({ groupId }) => (joins.has(groupId) || unknown.has(groupId) ? [] : [groupId])),
  );
  return { joins, leaves, leftOut };
}

/** The claims with groups of Microsoft Entra, and what it sends in place of those of a person with too many (overage). */
const overages: ReadonlyMap<string, string> = new Map([
  ['groups', 'hasgroups'],
  [
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    'http://schemas.microsoft.com/claims/groups.link',
  ],
]);

/** Claims that say that the provider left out others. */
export const overageClaims: readonly string[] = ['_claim_names', ...overages.values()];

/** Whether the groups of a claim are only somewhere else, whether a row names it or not. */
export function leavesOutGroups(claims: Claims): boolean {
  return [...overages.keys()].some((name) => isLeftOut(claims, name));
}

/** Whether a claim is only somewhere else (OpenID Connect Core section 5.6.2), or has more texts than are read. */
function isLeftOut(claims: Claims, name: string): boolean {
  const { _claim_names: elsewhere } = claims;
  if (Object.hasOwn(claims, name)) {
    const given = claims[name];
    return Array.isArray(given) && given.length > mostClaimTexts;
  }
  const isNamed = typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name);
  const overage = overages.get(name);
  return isNamed || (overage !== undefined && Object.hasOwn(claims, overage));
}

/** A claim as far as it is kept: a truth value, texts within their bounds, or the names of claims that are somewhere else. A list that is too long stays so. */
export function boundedClaim(value: unknown): unknown {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return boundedList(value);
  if (typeof value !== 'object' || value === null) return fits(value) ? value : undefined;
  const entries = Object.entries(value).filter(([name, one]) => fits(name) && fits(one));
  return Object.fromEntries(entries.slice(0, mostElsewhere));
}

function fits(one: unknown): one is string {
  return typeof one === 'string' && one.length <= longestClaimValue;
}

/** A list as far as it is kept. It must mean to {@link mappedTexts} what the whole one means. */
function boundedList(list: readonly unknown[]): string[] | undefined {
  if (list.length > mostClaimTexts)
    return list.slice(0, mostClaimTexts + 1).map((one) => (fits(one) ? one : ''));
  const kept = list.filter(fits);
  return kept.length === 0 && list.length > 0 ? undefined : kept;
}

/** The most names of claims that are somewhere else. */
const mostElsewhere = 20;

function firstText(claims: Claims, name: string): string | undefined {
  return textsOf(claims, name)[0];
}

/** The usable texts of a claim: one, or those of a list. */
function textsOf(claims: Claims, name: string): string[] {
  const given = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const list: readonly unknown[] = Array.isArray(given) ? given.slice(0, mostClaimTexts) : [given];
  return list.flatMap((one) => {
    const text = typeof one === 'string' ? one.trim() : '';
    return text === '' || text.length > longestClaimValue ? [] : [text];
  });
}
