import type { MappingRules } from './mapping-schema.js';

/** What the command line says about all people. It goes before the rules of a mapping. */
export interface RuleFlags {
  /** Treats every e-mail address as verified, whatever the export says. */
  readonly emailVerified: boolean;
  /** Leaves out password hashes that cannot be read. */
  readonly dropHashes?: boolean | undefined;
  /** Whether people may have neither a password nor a verified address. */
  readonly withoutCredentials?: MappingRules['withoutCredentials'] | undefined;
  /** What happens to people whose second factor does not come over. */
  readonly secondFactors?: MappingRules['secondFactors'] | undefined;
}

/** The rules that flags set. */
export function rulesOfFlags(flags: RuleFlags): MappingRules {
  const { emailVerified, dropHashes, withoutCredentials, secondFactors } = flags;
  return {
    ...(emailVerified && { unverifiedEmail: 'trust' }),
    ...(dropHashes && { unreadableHashes: 'drop' }),
    ...(withoutCredentials !== undefined && { withoutCredentials }),
    ...(secondFactors !== undefined && { secondFactors }),
  };
}

/** Whether active people may have neither a password nor a verified address. Who drops hashes wants to keep the people. */
export function allowsWithoutCredentials({ unreadableHashes, withoutCredentials }: MappingRules): boolean {
  return (withoutCredentials ?? (unreadableHashes === 'drop' ? 'allow' : 'refuse')) === 'allow';
}
