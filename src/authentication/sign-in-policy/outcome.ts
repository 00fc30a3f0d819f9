import {
  demandOn,
  includesAcr,
  lastPolicyMoment,
  type OwnedFactors,
  reachableAcr,
  type SignInPolicy,
} from '#src/directory/index.js';

/** What a policy would do to a person: nothing, ask for another factor by a later day, or keep the person out at once. */
type TrialOutcome = 'meets' | 'mustEnrol' | 'lockedOut';

/** How many active people meet each outcome. */
export type Outcomes = Readonly<Record<TrialOutcome, number>>;

/** A person with a role who does not meet a policy. */
export interface UnfitAdministrator {
  readonly userId: string;
  readonly userName: string;
  readonly outcome: Exclude<TrialOutcome, 'meets'>;
}

/** The most that a trial names of a kind. */
export const mostTold = 100;

/** Returns what a policy would do to people with these factors, of whom these facts are known. */
export function outcomeFor({
  policy,
  facts,
  owned,
  now,
}: {
  readonly policy: SignInPolicy;
  readonly facts: Parameters<typeof demandOn>[1];
  readonly owned: OwnedFactors;
  readonly now: Date;
}): TrialOutcome {
  const meetsAt = (moment: Date) => {
    const reached = reachableAcr(policy, owned, moment);
    return reached !== undefined && includesAcr(reached, demandOn(policy, facts, moment).acr);
  };
  if (!meetsAt(now)) return 'lockedOut';
  return meetsAt(lastPolicyMoment) ? 'meets' : 'mustEnrol';
}
