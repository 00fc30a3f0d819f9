import type { Person } from '../sign-in.js';
import type { Answer, Caller, Shot } from './caller.js';

/** What attackers know, and what they own. */
export interface Target {
  /** The balancer, as the shipped Ingress configures it. */
  readonly url: string;
  /** A balancer that passes bodies on while they arrive. */
  readonly streamingUrl: string;
  /** The API processes themselves, as a deployment without a balancer shows them. */
  readonly apiUrls: readonly string[];
  /** The attacker's organization, and a token with the role ORG_USER_MANAGER in it. */
  readonly orgId: string;
  readonly token: string;
  /** A token with the role ORG_OWNER in it, and the credentials of the service user that it belongs to. */
  readonly ownerToken: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** A person with the role ORG_OWNER in it. */
  readonly administrator: Person;
  /** Another organization of the attacker, without users. Tokens with the roles ORG_USER_MANAGER and ORG_USER_VIEWER in it. */
  readonly large: { readonly orgId: string; readonly token: string; readonly viewerToken: string };
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
  /** Counts what is not a response, or the responses to requests that {@link send} did not send. */
  count(what: string, times?: number): void;
  /** Tells of requests that {@link send} did not send. The control sends as many. */
  sent(requests: number): void;
  /** Runs rounds until the phase ends. One begins so long after the other began, but not before that one has ended. */
  rounds(everyMs: number, round: (number: number) => Promise<unknown>): Promise<void>;
}

/** The requests of a phase under attack. */
export interface Rate {
  readonly requests: number;
  readonly perSecond: number;
}

/** One row of the table. */
export interface Attack {
  /** The row of the threat, such as `A1`, and a name. */
  readonly name: string;
  /** The rate, for the report. */
  readonly sends: string;
  /** The attacker has the address of the bystander, as people of one office have. */
  readonly fromSameAddress?: boolean;
  /** Each of these must be counted at least once, of a list one. Otherwise the attack did not reach what it attacks. */
  readonly reached: readonly (string | readonly string[])[];
  /** These may be counted too. Anything else fails the run. */
  readonly possible?: readonly string[];
  /** The longest that a response to the attacker may take, in milliseconds. */
  readonly slowestMs?: number;
  /** A factor for the time of a phase under attack. */
  readonly longer?: number;
  /** It gives the service work whose results nobody waits for. The service goes on with it after a phase. */
  readonly leavesWork?: boolean;
  /** The most memory that an API process may take, in MiB. If absent, that of the pod. */
  readonly mostMib?: number;
  /** The longest time until a process says under attack that it is healthy, in milliseconds. */
  readonly slowestHealthMs?: number;
  /**
   * Sends cheap requests from the same clients at the rate that the attack had. The bystander under attack is compared with the
   * bystander during this. So a row shows the attack and not the load. If absent, it is compared with a quiet phase.
   */
  control?(attacking: Attacking, rate: Rate): Promise<void>;
  /** Prepares objects before the first phase. @returns what a phase sends */
  start(caller: Caller, target: Target): Promise<(attacking: Attacking) => Promise<void>>;
}
