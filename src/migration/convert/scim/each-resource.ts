import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { textOf } from '../reading/read-fields.js';
import type { ScimClient } from './scim-client.js';

const pageSize = 100;
const mostResources = 10_000_000;

/**
 * Visits the resources of a list page by page (RFC 7644 section 3.4.2.4), with their positions from 1. An item that is no object is visited as
 * undefined. Holds one page.
 * @param query further parameters, such as `&excludedAttributes=members`
 * @returns whether the server has the list
 * @throws StartError when the server answers with no list, or does not give all of it
 */
export async function eachResource(
  { client, url, query = '' }: { client: ScimClient; url: string; query?: string },
  visit: (resource: JsonObject | undefined, position: number) => void | Promise<void>,
): Promise<boolean> {
  let next = 1;
  let last = '';
  for (;;) {
    const page = await client.get(`${url}?startIndex=${next}&count=${pageSize}${query}`);
    if (page === undefined && next === 1) return false;
    const { total, resources } = readPage(page ?? {}, { url, next });
    if (next > total) return true;
    if (resources.length === 0) {
      throw new StartError(`${url} gives only ${next - 1} of its ${total} resources`);
    }
    const first = isJsonObject(resources[0]) ? (textOf(resources[0], ['id']) ?? '') : '';
    if (first !== '' && first === last)
      throw new StartError(`${url} gives the same page again: it knows no startIndex`);
    last = first;
    for (const resource of resources) {
      await visit(isJsonObject(resource) ? resource : undefined, next);
      next++;
    }
    if (next > total) return true;
  }
}

function readPage(
  page: JsonObject,
  { url, next }: { url: string; next: number },
): { total: number; resources: unknown[] } {
  const { totalResults: total, Resources: resources = [], startIndex } = page;
  if (typeof total !== 'number' || !Number.isInteger(total) || total < 0 || !Array.isArray(resources)) {
    throw new StartError(`${url} answers with something else than a list of SCIM`);
  }
  if (total > mostResources) throw new StartError(`${url} has more than ${mostResources} resources`);
  if (resources.length > 0 && typeof startIndex === 'number' && startIndex !== next) {
    throw new StartError(`${url} gives the page from ${startIndex} instead of the one from ${next}`);
  }
  return { total, resources };
}
