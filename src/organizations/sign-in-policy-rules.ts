import {
  allowedSecondFactors,
  demandedLevels,
  demandScopes,
  type FactorDemand,
  firstFactors,
  mostDemandGroups,
  mostDemands,
  type PolicyDay,
  policySettingNamed,
  refusedValue,
  type SignInPolicy,
  type SignInPolicySettingName,
  signInPolicySettingNames,
  startOfDay,
} from '#src/directory/index.js';
import { checkEach, Refusals } from '#src/platform/check-each.js';

const identifier = /^[^\p{Cc}\s]{1,200}$/u;

/**
 * Returns the policy as it is stored: in the order of its table, each word once, without what says no more than its absence.
 * @throws AppError `directory.valueInvalid`
 */
export function requireSignInPolicy(given: SignInPolicy): SignInPolicy {
  const refusals = new Refusals();
  const entries = signInPolicySettingNames.flatMap((name) => {
    const value = given[name];
    if (value === undefined || value === false) return [];
    return [[name, refusals.try(() => requireSetting(name, value))] as const];
  });
  refusals.throwIfAny();
  const { demands = [], breakGlassOwners = [], ...others } = Object.fromEntries(entries) as SignInPolicy;
  const policy = {
    ...others,
    ...(demands.length > 0 && { demands }),
    ...(breakGlassOwners.length > 0 && { breakGlassOwners }),
  };
  requireReachable(policy);
  return policy;
}

function requireSetting(name: SignInPolicySettingName, value: unknown): unknown {
  const setting = policySettingNamed(name);
  switch (setting.kind) {
    case 'flag':
      return value;
    case 'day':
      return requireDay(name, value as PolicyDay);
    case 'set':
      return requireWords(name, value as readonly string[], setting.values);
    case 'number':
      return requireNumber(name, value as number, setting);
    case 'people':
      return requirePeople(name, value as readonly string[], setting.most);
    case 'demands':
      return requireDemands(value as readonly FactorDemand[]);
  }
}

/** Days before this one and after the last one are mistakes of the keyboard. */
const [firstDay, lastDay] = ['2000-01-01', '2099-12-31'] as const;

/** A day may be past: what holds from it on holds at once. */
function requireDay(path: string, day: PolicyDay): PolicyDay {
  const start = /^\d{4}-\d\d-\d\d$/.test(day) ? startOfDay(day) : Number.NaN;
  // A day that does not exist, such as February 30, would become another one.
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(day);
  if (isDay && day >= firstDay && day <= lastDay) return day;
  throw refusedValue(path, 'day', `${path} must be a day from ${firstDay} to ${lastDay}`);
}

function requireWord(path: string, word: string, allowed: readonly string[]): void {
  if (allowed.includes(word)) return;
  const detail = `${path} must be one of ${allowed.join(', ')}`;
  throw refusedValue(path, 'notOffered', detail, { allowed: [...allowed] });
}

/** Whether each is an owner of the organization, only the stores know. */
function requirePeople(path: string, ids: readonly string[], most: number): string[] {
  if (ids.length > most)
    throw refusedValue(path, 'tooMany', `${path} has more than ${most} values`, { most });
  const wrong = ids.findIndex((id) => !identifier.test(id));
  if (wrong >= 0)
    throw refusedValue(`${path}[${wrong}]`, 'ownerUnknown', `${path}[${wrong}] is no identifier of a user`);
  return [...new Set(ids)];
}

/** Returns the words in the order of `allowed`, so that policies that mean the same are the same. */
function requireWords(path: string, words: readonly string[], allowed: readonly string[]): string[] {
  for (const [index, word] of words.entries()) requireWord(`${path}[${index}]`, word, allowed);
  return allowed.filter((word) => words.includes(word));
}

function requireNumber(
  path: string,
  value: number,
  { least, most }: { least: number; most: number },
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  const detail = `${path} must be an integer from ${least} to ${most}`;
  throw value > most
    ? refusedValue(path, 'tooLarge', detail, { most })
    : refusedValue(path, 'tooSmall', detail, { least });
}

function requireDemands(demands: readonly FactorDemand[]): FactorDemand[] {
  if (demands.length > mostDemands) {
    const detail = `demands has more than ${mostDemands} values`;
    throw refusedValue('demands', 'tooMany', detail, { most: mostDemands });
  }
  const refusals = new Refusals();
  const checked = demands.map((demand, index) =>
    refusals.try(() => requireDemand(`demands[${index}]`, demand)),
  );
  refusals.throwIfAny();
  return checked.filter((demand) => demand !== undefined);
}

function requireDemand(path: string, { of, groups = [], acr, from }: FactorDemand): FactorDemand {
  const checked = checkEach({
    of: () => requireWord(`${path}.of`, of, demandScopes),
    acr: () => requireWord(`${path}.acr`, acr, demandedLevels),
    from: () => requireDay(`${path}.from`, from),
    groups: () => requireGroups(`${path}.groups`, groups, of === 'groups'),
  });
  return { of, ...(of === 'groups' && { groups: checked.groups }), acr, from: checked.from };
}

function requireGroups(path: string, groups: readonly string[], areNeeded: boolean): string[] {
  if (!areNeeded && groups.length > 0)
    throw refusedValue(path, 'excluded', `${path} goes only with of: groups`, { other: 'of' });
  if (areNeeded && groups.length === 0)
    throw refusedValue(path, 'tooFew', `${path} must have a group`, { least: 1 });
  if (groups.length > mostDemandGroups)
    throw refusedValue(path, 'tooMany', `${path} has more than ${mostDemandGroups} values`, {
      most: mostDemandGroups,
    });
  const wrong = groups.findIndex((id) => !identifier.test(id));
  if (wrong >= 0)
    throw refusedValue(`${path}[${wrong}]`, 'identifier', `${path}[${wrong}] is no identifier of a group`, {
      most: 200,
    });
  return [...new Set(groups)];
}

/** A policy that nobody could meet would lock everybody out. @throws AppError `directory.valueInvalid` */
function requireReachable(policy: SignInPolicy): void {
  const { firstFactors: first = firstFactors, demands = [] } = policy;
  const refusals = new Refusals();
  if (first.length === 0)
    refusals.add(refusedValue('firstFactors', 'tooFew', 'firstFactors must have a value', { least: 1 }));
  if (policy.firstFactorsFrom !== undefined && policy.firstFactors === undefined)
    refusals.add(refusedValue('firstFactors', 'required', 'firstFactorsFrom needs firstFactors'));
  const second = allowedSecondFactors(policy);
  const passkeys = first.includes('passkey') || second.includes('passkey');
  for (const [index, { acr }] of demands.entries()) {
    const canBeMet = acr === 'phr' ? passkeys : passkeys || second.length > 0;
    if (canBeMet) continue;
    const at = `demands[${index}].acr`;
    refusals.add(
      refusedValue(at, 'unreachable', `${at} cannot be reached with the factors that are allowed`),
    );
  }
  refusals.throwIfAny();
}
