import { longestLinkText, mostIdentityLinks } from '#src/accounts/person-lists/index.js';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { IdentityLinksRecord } from '../../format/identity-links.record.js';
import type { SourceRecord } from '../reading/source-record.js';
import type { IdentityLayout } from './identity-layouts.js';

type OutsideIdentity = IdentityLinksRecord['links'][number];

/**
 * Takes the links of a person to outside providers. They name the provider as the source does, and wait for a connection: see
 * docs/guides/migrate.md. A link without a provider or an identifier stays, so that it is lost.
 */
export function takeIdentities(source: SourceRecord, place: IdentityLayout): OutsideIdentity[] {
  const { path, itself = [], copies } = place;
  const given = source.look(...path);
  if (!Array.isArray(given)) return [];
  const parts = [place.provider, place.subject, ...(place.name === undefined ? [] : [place.name])];
  for (const part of parts) source.take(...path, '[]', part);
  const links: OutsideIdentity[] = [];
  for (const item of given) {
    const link = isJsonObject(item) ? linkOf(item, place) : undefined;
    if (link !== undefined && itself.includes(link.provider ?? '')) continue;
    if (link !== undefined && links.length < mostIdentityLinks) links.push(link);
    else if (isJsonObject(item)) source.loseAlso(...lostParts(item, { path, parts }));
  }
  const known = new Set(links.map(({ provider, subject }) => `${provider}:${subject}`));
  const listed = copies === undefined ? undefined : source.look(...copies);
  if (copies && Array.isArray(listed) && listed.every((one) => known.has(String(one))))
    source.take(...copies);
  return links;
}

function linkOf(item: JsonObject, place: IdentityLayout): OutsideIdentity | undefined {
  const [provider, subject] = [textOf(item[place.provider]), textOf(item[place.subject])];
  if (provider === undefined || subject === undefined) return undefined;
  const name = place.name === undefined ? undefined : textOf(item[place.name]);
  return { provider, subject, ...(name !== undefined && { name }) };
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' || text.length > longestLinkText || /[\p{Cc}\p{Cs}]/u.test(text) ? undefined : text;
}

/** The paths of the parts of a link that have a value. */
function lostParts(item: JsonObject, { path, parts }: { path: readonly string[]; parts: readonly string[] }) {
  const named = parts.filter((part) => item[part] !== undefined && item[part] !== null && item[part] !== '');
  return named.map((part) => `${path.join('.')}[].${part}`);
}
