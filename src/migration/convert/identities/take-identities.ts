import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { SourceRecord } from '../reading/source-record.js';
import type { IdentityPlace } from './identity-places.js';

/** A link of a person to an account at an outside identity provider. */
interface OutsideIdentity {
  readonly provider: string;
  /** The identifier of the account there: the `sub` of its tokens. */
  readonly subject: string;
  /** What the account is called there. */
  readonly name?: string;
}

/** The most links of one person. The others are lost. */
const mostLinks = 20;
/** The longest provider, subject and name, in characters. */
export const longestIdentityText = 500;
/** The longest provider in a key, in characters. The value has all of it. */
const longestInKey = 150;

/**
 * Takes the links of a person to outside providers, and returns them as metadata: see docs/guides/migrate.md. A link without a provider or an
 * identifier stays, so that it is lost.
 */
export function takeIdentities(source: SourceRecord, place: IdentityPlace): [key: string, value: string][] {
  const { path, own = [], copies } = place;
  const given = source.look(...path);
  if (!Array.isArray(given)) return [];
  const parts = [place.provider, place.subject, ...(place.name === undefined ? [] : [place.name])];
  for (const part of parts) source.take(...path, '[]', part);
  const links: OutsideIdentity[] = [];
  for (const item of given) {
    const link = isJsonObject(item) ? linkOf(item, place) : undefined;
    if (link !== undefined && own.includes(link.provider)) continue;
    if (link !== undefined && links.length < mostLinks) links.push(link);
    else if (isJsonObject(item)) source.loseAlso(...lostParts(item, { path, parts }));
  }
  const known = new Set(links.map(({ provider, subject }) => `${provider}:${subject}`));
  const listed = copies === undefined ? undefined : source.look(...copies);
  if (copies && Array.isArray(listed) && listed.every((one) => known.has(String(one))))
    source.take(...copies);
  return identityMetadata(links);
}

/** Links as entries of metadata. Of several links to one provider, the later ones have a number in their key. */
export function identityMetadata(links: readonly OutsideIdentity[]): [key: string, value: string][] {
  const counts = new Map<string, number>();
  return links.map((link) => {
    const key = identityKey(link.provider);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return [count === 1 ? key : `${key}:${count}`, JSON.stringify(link)];
  });
}

/** The key of the metadata of a link. Keys have no spaces and no control characters. */
function identityKey(provider: string): string {
  return `identity:${encodeURIComponent(provider.toWellFormed()).slice(0, longestInKey)}`;
}

function linkOf(item: JsonObject, place: IdentityPlace): OutsideIdentity | undefined {
  const [provider, subject] = [textOf(item[place.provider]), textOf(item[place.subject])];
  if (provider === undefined || subject === undefined) return undefined;
  const name = place.name === undefined ? undefined : textOf(item[place.name]);
  return { provider, subject, ...(name !== undefined && { name }) };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text.length > longestIdentityText ? undefined : text;
}

/** The paths of the parts of a link that have a value. */
function lostParts(item: JsonObject, { path, parts }: { path: readonly string[]; parts: readonly string[] }) {
  const named = parts.filter((part) => item[part] !== undefined && item[part] !== null && item[part] !== '');
  return named.map((part) => `${path.join('.')}[].${part}`);
}
