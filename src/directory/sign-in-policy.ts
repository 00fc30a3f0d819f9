import { type Acr, includesAcr } from './acr.js';

/** What may begin a sign-in. A `connection` is another identity provider. */
export const firstFactors = ['password', 'passkey', 'mailLink', 'connection'] as const;
export type FirstFactor = (typeof firstFactors)[number];

/** What may follow it. Recovery codes always belong to `totp`. */
const secondFactors = ['totp', 'passkey', 'mailCode'] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** Of whom a demand is made: of everybody, of people with a role in an organization or the instance, or of the members of groups. */
export const demandScopes = ['everybody', 'roles', 'groups'] as const;

/** The levels that a policy can demand. Every sign-in has the first. */
export const demandedLevels = ['2', 'phr'] as const satisfies readonly Acr[];

/** A day as `2026-12-31`. It begins at midnight UTC. */
export type PolicyDay = string;

/** What sign-ins of some people must reach from a day on. */
export interface FactorDemand {
  readonly of: (typeof demandScopes)[number];
  /** The identifiers of groups of the organization. Only with `of: 'groups'`. */
  readonly groups?: readonly string[];
  readonly acr: (typeof demandedLevels)[number];
  readonly from: PolicyDay;
}

/**
 * How the people of an organization must sign in. An organization without a policy, and a part that is absent, is as the instance is. What the
 * instance or an application demands besides holds too.
 */
export interface SignInPolicy {
  /** Whether the login page asks for the login name alone, and then for what the person has. */
  readonly identifierFirst?: boolean;
  /** Absent: all but `mailLink`. */
  readonly firstFactors?: readonly FirstFactor[];
  /** The day from which `firstFactors` holds. Absent: at once. */
  readonly firstFactorsFrom?: PolicyDay;
  /** Absent: all but `mailCode`. */
  readonly secondFactors?: readonly SecondFactor[];
  readonly demands?: readonly FactorDemand[];
  /**
   * Owners of the organization who may begin with a password or a passkey whatever `firstFactors` says, so that they come in when a provider is
   * away (break-glass). Each of their sign-ins needs two factors. See {@link policyOf}.
   */
  readonly breakGlassOwners?: readonly string[];
  /** How long a browser may be remembered, so that it needs no second factor. Absent or 0: never. */
  readonly rememberedBrowserDays?: number;
  readonly sessionSeconds?: number;
  readonly sessionIdleSeconds?: number;
  readonly refreshTokenSeconds?: number;
  readonly refreshTokenIdleSeconds?: number;
  /** How long a sign-in counts as fresh. */
  readonly freshSignInSeconds?: number;
}

const yearSeconds = 365 * 24 * 3600;

/** What a setting of a policy may be. */
type PolicySetting =
  | { readonly kind: 'flag'; readonly description: string }
  | { readonly kind: 'set'; readonly values: readonly string[]; readonly description: string }
  | { readonly kind: 'day'; readonly description: string }
  | { readonly kind: 'people'; readonly most: number; readonly description: string }
  | {
      readonly kind: 'number';
      readonly least: number;
      readonly most: number;
      readonly description: string;
    }
  | { readonly kind: 'demands'; readonly description: string };

/** A time that the policy may make shorter than the instance does. */
const life = (least: number, description: string) =>
  ({
    kind: 'number',
    least,
    most: yearSeconds,
    description: `${description}. The shorter time of the instance wins`,
  }) as const;

/**
 * Every setting of a policy. The admin API with its description, the form of the console, imports, exports and the checks all use this table.
 * They have the settings in its order.
 */
const signInPolicySettings = {
  identifierFirst: {
    kind: 'flag',
    description: 'Whether the login page asks for the login name alone at first. Absent means no',
  },
  firstFactors: {
    kind: 'set',
    values: firstFactors,
    description:
      'What may begin a sign-in. Absent means all but mailLink. Without password, no password signs in',
  },
  firstFactorsFrom: {
    kind: 'day',
    description: 'The day (UTC) from which firstFactors holds. Absent means at once',
  },
  secondFactors: {
    kind: 'set',
    values: secondFactors,
    description: 'What may follow the first factor. Absent means all but mailCode',
  },
  demands: { kind: 'demands', description: 'What sign-ins must reach, of whom, and from which day (UTC)' },
  breakGlassOwners: {
    kind: 'people',
    most: 5,
    description:
      'Identifiers of owners who may begin with a password or a passkey whatever firstFactors says. Each of their sign-ins needs two factors. Each must have ' +
      'signed in before with a passkey, or with the present password and authenticator app',
  },
  rememberedBrowserDays: {
    kind: 'number',
    least: 0,
    most: 365,
    description:
      'For how many days people may have a browser remembered, which then needs no second factor. 0 means never',
  },
  sessionSeconds: life(300, 'The longest life of a session'),
  sessionIdleSeconds: life(60, 'How long a session may be idle'),
  refreshTokenSeconds: life(300, 'The longest life of refresh tokens'),
  refreshTokenIdleSeconds: life(60, 'How long a refresh token may be idle'),
  freshSignInSeconds: life(60, 'How long a sign-in counts as fresh'),
} as const satisfies { readonly [Name in keyof Required<SignInPolicy>]: PolicySetting };

export type SignInPolicySettingName = keyof SignInPolicy;
export const signInPolicySettingNames = Object.keys(
  signInPolicySettings,
) as readonly SignInPolicySettingName[];

/** The row of a setting, of whatever kind. */
export function policySettingNamed(name: SignInPolicySettingName): PolicySetting {
  return signInPolicySettings[name];
}

/** The most demands of a policy, and groups of a demand. */
export const mostDemands = 10;
export const mostDemandGroups = 20;

/** The times that a policy may make shorter. */
export type PolicyLife =
  | 'sessionSeconds'
  | 'sessionIdleSeconds'
  | 'refreshTokenSeconds'
  | 'refreshTokenIdleSeconds'
  | 'freshSignInSeconds';

/** Returns the shorter of the times of the instance and of the policy, in seconds. */
export function shorterLife(instance: number, policy: SignInPolicy | undefined, name: PolicyLife): number {
  return Math.min(instance, policy?.[name] ?? instance);
}

/** The moment at which a day begins, in milliseconds since 1970. */
export function startOfDay(day: PolicyDay): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** After every day that a policy can name. */
export const lastPolicyMoment = new Date('2100-01-01T00:00:00Z');

/** The moment from which on all days of a policy have come. Undefined if it names none. */
export function lastDayOf({ demands = [], firstFactorsFrom }: SignInPolicy): Date | undefined {
  const days = [...demands.map(({ from }) => from), ...(firstFactorsFrom ? [firstFactorsFrom] : [])];
  return days.length === 0 ? undefined : new Date(Math.max(...days.map(startOfDay)));
}

const usualFirst: readonly FirstFactor[] = ['password', 'passkey', 'connection'];
const usualSecond: readonly SecondFactor[] = ['totp', 'passkey'];

/** The factors that may begin a sign-in at a moment. */
export function allowedFirstFactors(policy: SignInPolicy | undefined, now: Date): readonly FirstFactor[] {
  const { firstFactors: chosen, firstFactorsFrom: from } = policy ?? {};
  const holds = from === undefined || startOfDay(from) <= now.getTime();
  return chosen !== undefined && holds ? chosen : usualFirst;
}

/** The factors of an owner who breaks the glass. */
const breakGlassFirst = ['password', 'passkey'] as const;
const breakGlassDemand: FactorDemand = { of: 'everybody', acr: '2', from: '2000-01-01' };

/**
 * The policy that counts for one person of the organization: for its break-glass owners, another one than for everybody else. Their mailbox leads to
 * a new password, so no mailed code follows it, and no browser is remembered instead of a second factor.
 */
export function policyOf<P extends SignInPolicy | undefined>(policy: P, userId: string): P {
  if (policy?.breakGlassOwners?.includes(userId) !== true) return policy;
  const { firstFactors: first, demands = [] } = policy;
  return {
    ...policy,
    ...(first && { firstFactors: [...new Set([...first, ...breakGlassFirst])] }),
    secondFactors: usualSecond,
    rememberedBrowserDays: 0,
    demands: [...demands, breakGlassDemand],
  };
}

/** What may begin a sign-in of somebody of the organization, its break-glass owners included. */
export function firstFactorsOfAnybody(policy: SignInPolicy | undefined, now: Date): readonly FirstFactor[] {
  const allowed = allowedFirstFactors(policy, now);
  return policy?.breakGlassOwners === undefined ? allowed : [...allowed, ...breakGlassFirst];
}

/** The factors that alone may begin a sign-in from a later day on. Undefined if no such day is to come. */
export function laterFirstFactors(
  policy: SignInPolicy | undefined,
  now: Date,
): { readonly factors: readonly FirstFactor[]; readonly from: Date } | undefined {
  const { firstFactors: factors, firstFactorsFrom: day } = policy ?? {};
  if (factors === undefined || day === undefined || startOfDay(day) <= now.getTime()) return undefined;
  return { factors, from: new Date(startOfDay(day)) };
}

/** The factors that may follow the first one. */
export function allowedSecondFactors(policy: SignInPolicy | undefined): readonly SecondFactor[] {
  return policy?.secondFactors ?? usualSecond;
}

/** Whether no password signs in. Then nobody can set one either. */
export function passwordsAreOff(policy: SignInPolicy | undefined, now: Date): boolean {
  return policy?.firstFactors !== undefined && !allowedFirstFactors(policy, now).includes('password');
}

/** What a policy must know of a person to say what it demands. */
export interface DemandFacts {
  readonly roles: boolean;
  /** Those groups of the person that the policy names. */
  readonly groups: ReadonlySet<string>;
}

/** Which facts of a person decide about its demands. Without a demand of that kind, nobody looks them up. */
export function factsAskedBy(policy: SignInPolicy | undefined): {
  roles: boolean;
  groups: readonly string[];
} {
  const demands = policy?.demands ?? [];
  return {
    roles: demands.some((demand) => demand.of === 'roles'),
    groups: [...new Set(demands.flatMap(({ groups = [] }) => groups))],
  };
}

/** What a person must reach: now, and from a later day on if that is more. */
export interface PersonalDemand {
  readonly acr: Acr;
  readonly later?: { readonly acr: Acr; readonly from: Date };
}

/** What nothing but the instance demands. */
export const noDemand: PersonalDemand = { acr: '1' };

/** What the policy demands of a person at a moment. `later` is the next day that demands more. */
export function demandOn(policy: SignInPolicy | undefined, facts: DemandFacts, now: Date): PersonalDemand {
  const applicable = (policy?.demands ?? []).filter((demand) => isMadeOf(demand, facts));
  if (applicable.length === 0) return noDemand;
  const started = applicable.filter(({ from }) => startOfDay(from) <= now.getTime());
  const acr = highest(started.map((demand) => demand.acr));
  const [next] = applicable
    .filter((demand) => !includesAcr(acr, demand.acr) && startOfDay(demand.from) > now.getTime())
    .sort((a, b) => startOfDay(a.from) - startOfDay(b.from));
  return next === undefined
    ? { acr }
    : { acr, later: { acr: next.acr, from: new Date(startOfDay(next.from)) } };
}

/** Whether a demand is made of a person. */
export function isMadeOf({ of, groups = [] }: FactorDemand, facts: DemandFacts): boolean {
  if (of === 'everybody') return true;
  return of === 'roles' ? facts.roles : groups.some((group) => facts.groups.has(group));
}

/** The highest of these levels. */
function highest(levels: readonly Acr[]): Acr {
  return levels.reduce((most, one) => (includesAcr(one, most) ? one : most), '1' as Acr);
}

/** What a person has to sign in with. */
export interface OwnedFactors {
  readonly password: boolean;
  readonly totp: boolean;
  readonly passkey: boolean;
  /** A link to an account at another identity provider. */
  readonly connection: boolean;
  /** A primary address that counts: see `receivesMail`. */
  readonly mail: boolean;
}

/**
 * The most that a person can reach with these factors under a policy at a moment. Undefined if none of them may begin a sign-in. What an
 * identity provider proves besides is not known before the sign-in.
 */
export function reachableAcr(
  policy: SignInPolicy | undefined,
  owned: OwnedFactors,
  at: Date,
): Acr | undefined {
  const first = allowedFirstFactors(policy, at);
  const second = allowedSecondFactors(policy);
  const begins = (factor: FirstFactor) =>
    first.includes(factor) && owned[factor === 'mailLink' ? 'mail' : factor];
  if (!firstFactors.some(begins)) return undefined;
  if (owned.passkey && (first.includes('passkey') || second.includes('passkey'))) return 'phr';
  if (second.includes('totp') && owned.totp) return '2';
  // Whoever reads the mailbox has both a mailed link and a mailed code.
  const beginsWithoutMail = firstFactors.some((factor) => factor !== 'mailLink' && begins(factor));
  return second.includes('mailCode') && owned.mail && beginsWithoutMail ? '2' : '1';
}
