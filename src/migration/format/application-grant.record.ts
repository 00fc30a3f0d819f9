import Type, { type Static } from 'typebox';
import { identifier } from './values.js';

/** `orgs[].applicationGrants[]`: an application of another organization that serves the users of this one without asking each of them. */
export const applicationGrantRecord = Type.Object({ clientId: identifier });

export type ApplicationGrantRecord = Static<typeof applicationGrantRecord>;
