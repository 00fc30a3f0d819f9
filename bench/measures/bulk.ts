import { compareRates, type Pace } from '../compare.js';
import { scimUser } from '../people.js';
import { judged, type Row, rate } from '../report.js';
import type { ScimTarget } from '../target.js';

const connections = 8;
const size = 100;
const headers = { 'content-type': 'application/scim+json' };
let number = 5_000_000;
const nextUser = () => {
  number += 1;
  return scimUser(number);
};

/** Users per second of Bulk requests of 100 creates (API and one worker) beside single creates (API). */
export async function measureBulk(api: ScimTarget, pace: Pace): Promise<Row[]> {
  const load = (path: string, body: () => unknown) => ({
    url: api.url,
    connections,
    next: () => api.shot({ method: 'POST', path, headers, body: JSON.stringify(body()) }),
  });
  const result = await compareRates(load('/Bulk', bulkRequest), load('/Users', nextUser), pace);
  const row = {
    measure: 'SCIM Bulk of 100 creates',
    ours: rate(result.ours * size, 'users/s'),
    peer: `single creates: ${rate(result.peer, 'users/s')}`,
  };
  return [judged(row, result.ratio * size, { atLeast: 5 })];
}

function bulkRequest() {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: Array.from({ length: size }, (_, i) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `u${i}`,
      data: nextUser(),
    })),
  };
}
