import type { Answer, Caller, Shot } from './caller.js';

/** What attackers know, and what they own. */
export interface Target {
  /** The balancer, as the shipped Ingress configures it. */
  readonly url: string;
  /** A balancer that passes bodies on while they arrive. */
  readonly streamingUrl: string;
  /** The attacker's organization, and a token with the role ORG_USER_MANAGER in it. */
  readonly orgId: string;
  readonly token: string;
  /** The part of the connections and of the costly requests that is sent. It is 1, except in trials. */
  readonly part: number;
  /** An application of the bystander's organization. Its identifier is public. */
  readonly clientId: string;
  readonly redirectUri: string;
}

/** The tools of an attack. */
export interface Attacking {
  readonly target: Target;
  /** Addresses of the attacker. None is the bystander's, unless the attack is one on the address. */
  readonly addresses: readonly string[];
  /** Aborted when this phase of the attack ends. */
  readonly ended: AbortSignal;
  /**
   * Sends from the first of the addresses. Responses are counted by status and `scimType`, such as `409 uniqueness`, and broken
   * connections as `broken`.
   */
  send(shot: Shot): Promise<Answer | undefined>;
  /** Counts what is not a response. */
  count(what: string): void;
  /** Runs rounds until the phase ends. One begins so long after the other began, but not before that one has ended. */
  rounds(everyMs: number, round: (number: number) => Promise<unknown>): Promise<void>;
}

/** One row of the table. */
export interface Attack {
  /** The row of the threat, such as `A1`, and a name. */
  readonly name: string;
  /** The rate, for the report. */
  readonly sends: string;
  /** The attacker has the address of the bystander, as people of one office have. */
  readonly fromSameAddress?: boolean;
  /** Each of these must be counted at least once. Otherwise the attack did not reach what it attacks. */
  readonly reached: readonly string[];
  /** These may be counted too. Anything else fails the run. */
  readonly possible?: readonly string[];
  /** The longest that a response to the attacker may take, in milliseconds. */
  readonly slowestMs?: number;
  /** A factor for the time of a phase under attack. */
  readonly longer?: number;
  /** Prepares objects before the first phase. @returns what a phase sends */
  start(caller: Caller, target: Target): Promise<(attacking: Attacking) => Promise<void>>;
}
