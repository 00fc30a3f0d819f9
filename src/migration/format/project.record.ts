import Type, { type Static } from 'typebox';
import { identifier, text } from './values.js';

/** `orgs[].projects[]`. */
export const projectRecord = Type.Object({
  projectId: identifier,
  project: Type.Object({ name: text }),
});

export type ProjectRecord = Static<typeof projectRecord>;
