import type { Attack, Target } from '../attack.js';
import { cheapUnread, holdUnread, overNetwork, type Unread } from '../unread.js';

/** Promises about an API process while nobody reads what it sends. */
export const unreadPromises = { mostMib: 512, slowestHealthMs: 1_000 } as const;

const firstProcess = ({ apiUrls }: Target) => apiUrls[0] ?? '';

const documents: Unread = {
  connections: 1_017,
  connectionsPerSecond: 300,
  network: overNetwork,
  url: firstProcess,
  shot: () => ({ method: 'GET', path: '/openapi.json' }),
};

export const unreadDocuments: Attack = {
  name: 'A1a unread documents',
  sends:
    '1,017 connections from one address to an API process, each with GET /openapi.json, and reads nothing',
  ...unreadPromises,
  longer: 2,
  reached: ['200'],
  possible: ['ended', 'refused', '429', '503'],
  start: async () => (attacking) => holdUnread(attacking, documents),
  control: cheapUnread(documents),
};

const schemas: Unread = {
  connections: 600,
  pipelined: 32,
  connectionsPerSecond: 300,
  network: overNetwork,
  url: firstProcess,
  shot: () => ({ method: 'GET', path: '/scim/v2/x/Schemas' }),
};

export const unreadSchemas: Attack = {
  name: 'A1b unread schemas, pipelined',
  sends:
    '600 connections from one address to an API process, each with 32 × GET /scim/v2/x/Schemas, and reads nothing',
  ...unreadPromises,
  longer: 2,
  reached: [['200', '404']],
  possible: ['ended', 'refused', '429', '503'],
  start: async () => (attacking) => holdUnread(attacking, schemas),
  control: cheapUnread(schemas),
};
