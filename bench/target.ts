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
