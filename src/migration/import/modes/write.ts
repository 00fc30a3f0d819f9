import type { ImportMode, PartComparer, PlanEffects } from './mode.js';

const nothing: PlanEffects = {};
const noNames: ReadonlySet<string> = new Set();

/** The records are not compared: the section decides about them. */
const noComparer: PartComparer = {
  listen: () => undefined,
  end: async () => undefined,
};

/** An import that writes: the records of earlier parts are stored, so it finds them as it finds all other objects. */
export const writeMode: ImportMode = {
  isReal: true,
  joinsParts: true,
  isInOrder: false,
  readsRefused: false,
  namesAsGiven: false,
  sliceOf: () => undefined,
  reserve: () => ({
    findReserved: async () => noNames,
    findReservingRecords: async () => [],
  }),
  compare: () => noComparer,
  admit: ({ quotas }, _part, { kind, orgId, count }, commit) =>
    quotas.upTo(orgId, { kind, count }, (allowed) => commit(allowed)),
  effectsOf: (plan, { created, updated }) => (created + updated > 0 ? plan : nothing),
  note: () => ({}),
  finish: async () => 'done',
  done: 'imported',
  isWhole: ({ stagingId }, remaining) => remaining === 0 && stagingId !== undefined,
};
