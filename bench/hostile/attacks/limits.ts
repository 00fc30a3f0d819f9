import type { Attack, Attacking } from '../attack.js';
import { authorizationRequest } from '../authorization-request.js';
import type { Shot } from '../caller.js';
import { cheapRequests, times } from '../clients.js';

const everyMs = 10_000;

/** Sends this many requests in each 10 s, ten at a time. */
function steadily(attacking: Attacking, count: number, shot: () => Shot): Promise<void> {
  const atOnce = 10;
  return attacking.rounds((everyMs * atOnce) / count, () =>
    Promise.all(times(atOnce, () => attacking.send(shot()))),
  );
}

const state = 's'.repeat(1_500);

const path = '/oauth/v2/authorize';

export const authorizeByGet: Attack = {
  name: 'A6 authorize without a cookie, GET',
  sends: '298 in 10 s',
  fromSameAddress: true,
  reached: ['303'],
  start: async () => (attacking) => {
    const shot = { method: 'GET', path: `${path}?${authorizationRequest(attacking.target, state)}` };
    return steadily(attacking, 298, () => shot);
  },
  control: cheapRequests(10),
};

export const authorizeByPost: Attack = {
  name: 'A6 authorize without a cookie, POST',
  sends: '280 in 10 s',
  fromSameAddress: true,
  reached: ['303'],
  start: async () => (attacking) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const shot = { method: 'POST', path, headers, body: authorizationRequest(attacking.target, state) };
    return steadily(attacking, 280, () => shot);
  },
  control: cheapRequests(10),
};

export const badTokens: Attack = {
  name: 'A6 bad bearer tokens',
  sends: '1,200 in 10 s',
  fromSameAddress: true,
  reached: ['401', '429'],
  start: async () => (attacking) => {
    const headers = { authorization: `Bearer ${'x'.repeat(80)}` };
    const shot = { method: 'GET', path: `/scim/v2/${attacking.target.orgId}/Users?count=1`, headers };
    return steadily(attacking, 1_200, () => shot);
  },
  control: cheapRequests(10),
};
