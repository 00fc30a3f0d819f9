import Type, { type Static } from 'typebox';
import { identifier, text } from './values.js';

/** `orgs[].projects[]`. */
export const projectRecord = Type.Object({
  projectId: identifier,
  project: Type.Object({
    name: text,
    /** Other organizations whose clients may ask for the audience of the project. */
    audienceOrgIds: Type.Optional(Type.Array(identifier, { maxItems: 100 })),
  }),
});

export type ProjectRecord = Static<typeof projectRecord>;
