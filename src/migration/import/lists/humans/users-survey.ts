import type { SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import type { TakenIdentifiersDeps } from '../shared/taken-identifiers.js';
import type { KnownUsers } from './known-users.js';
import type { RulesOfUsers } from './read/human-user-input.js';

export type HumanUsersDeps = TakenIdentifiersDeps &
  Pick<
    SectionDeps,
    | 'ableOwners'
    | 'accounts'
    | 'caches'
    | 'clock'
    | 'codeAttempts'
    | 'config'
    | 'events'
    | 'groupMembers'
    | 'groups'
    | 'hashFingerprints'
    | 'mongo'
    | 'oneTimeLinks'
    | 'passwords'
    | 'projectMembers'
    | 'refreshTokens'
    | 'revocations'
    | 'totpSealer'
    | 'userCounter'
    | 'users'
  >;

/** What is known before the records of one part are decided about. */
export interface UsersSurvey {
  readonly deps: HumanUsersDeps;
  readonly context: SectionContext;
  /** The rules of the organization. Undefined if it does not exist. */
  readonly rules: RulesOfUsers | undefined;
  readonly users: KnownUsers;
}
