import type { Shot } from './load.js';

/** The target of SCIM requests, with the credentials of each request. */
export interface ScimTarget {
  /** Origin of the API. */
  readonly url: string;
  /** The same request below the organization's SCIM address, with the access token. */
  shot(shot: Shot): Shot;
}

export function scimTarget(url: string, orgId: string, token: string): ScimTarget {
  const authorization = `Bearer ${token}`;
  return {
    url,
    shot: ({ path, headers, ...rest }) => ({
      ...rest,
      path: `/scim/v2/${orgId}${path}`,
      headers: { ...headers, authorization },
    }),
  };
}

/** The users of the organization. */
export async function countUsers({ url, shot }: ScimTarget): Promise<number> {
  const { path, ...request } = shot({ method: 'GET', path: '/Users?count=0' });
  const answer = await fetch(url + path, request as RequestInit);
  return ((await answer.json()) as { totalResults: number }).totalResults;
}
