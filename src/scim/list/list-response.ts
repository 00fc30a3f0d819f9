import { urns } from '../protocol/urns.js';
import type { ScimResource } from '../resources/scim-resource.js';

/** A page of resources (RFC 7644 section 3.4.2). */
export interface ListResponse {
  schemas: string[];
  totalResults: number;
  itemsPerPage: number;
  startIndex: number;
  nextCursor?: string;
  Resources: ScimResource[];
}

export interface Page {
  readonly resources: ScimResource[];
  readonly totalResults: number;
  /** 1-based index of the first resource. Default 1. */
  readonly startIndex?: number | undefined;
  /** The start of the next page (RFC 9865 section 2). Absent on the last page. */
  readonly nextCursor?: string | undefined;
}

/** The response for a page of resources. `itemsPerPage` is the number of resources in it. */
export function listResponse({ resources, totalResults, startIndex = 1, nextCursor }: Page): ListResponse {
  return {
    schemas: [urns.listResponse],
    totalResults,
    itemsPerPage: resources.length,
    startIndex,
    ...(nextCursor !== undefined && { nextCursor }),
    Resources: resources,
  };
}

/** The beginning of a response with a page, up to its resources. */
export function listOpening(page: Omit<Page, 'resources'>, itemsPerPage: number): string {
  const { Resources: _none, ...head } = listResponse({ resources: [], ...page });
  return `${JSON.stringify({ ...head, itemsPerPage }).slice(0, -1)},"Resources":[`;
}
