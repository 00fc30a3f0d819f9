import type { Account } from '#src/accounts/index.js';
import { mostPasskeys } from '#src/accounts/person-lists/index.js';
import { type Acr, includesAcr } from '#src/directory/index.js';
import { hasFirstProof, type Proof, type TimedProof } from './proof.js';
import { countedProofs, isAllowedProof, type SignInRules } from './sign-in-rules.js';
import type { EnrolPage, EnrolStep, FactorPage, FactorStep, RefusedStep, WayPage } from './sign-in-step.js';
import { levelOf } from './strength.js';

/** What the decision about factors says, and what the person wants. */
interface Enrolling {
  readonly factor: FactorStep | RefusedStep | { readonly kind: 'done' };
  readonly mayEnrol: boolean;
  readonly putsOff: boolean;
  /** Whether the person reaches a level with what the person has. */
  readonly reaches: (level: Acr) => boolean;
}

type Enrolment = EnrolStep | FactorStep<FactorPage | 'recovery'> | RefusedStep;

/** Something that a person may set up, with the page for it and what it then proves. */
interface Enrollable {
  readonly page: EnrolPage;
  readonly proof: Proof;
  readonly hasRoom: (account: Account) => boolean;
}

/** The one that needs no script comes first. */
const enrollables: readonly Enrollable[] = [
  { page: 'enrol', proof: { kind: 'code' }, hasRoom: ({ totp }) => totp === undefined },
  {
    page: 'enrolPasskey',
    proof: { kind: 'passkey', credentialId: '', userVerified: false, isSynced: false },
    hasRoom: ({ passkeys }) => (passkeys?.count ?? 0) < mostPasskeys,
  },
];

/**
 * Returns the page on which the person sets up a factor, or proves what must be proved before that. Undefined if nothing is to be set up.
 *
 * - Until the day of a demand, what began the sign-in is enough, and it may wait.
 * - From the day on, a new factor needs a one-time link of an administrator, a registration or a recovery code. A thief with the password or the
 *   mailbox must not set up a factor.
 * - Where no password signs in, a one-time link leads to a passkey.
 *
 * What a session proved earlier leads to none of these pages, because an unattended browser has it.
 */
export function nextEnrolment(
  rules: SignInRules,
  account: Account,
  given: readonly (Proof | TimedProof)[],
  enrolling: Enrolling,
): Enrolment | undefined {
  if (given.every((proof) => 'time' in proof)) return undefined;
  const proofs = countedProofs(rules, given);
  if (isByLinkAlone(rules, proofs)) return firstEnrolment(rules, account, proofs);
  return enrolling.factor.kind === 'done'
    ? laterEnrolment(rules, account, proofs, enrolling)
    : demandedEnrolment(rules, account, proofs, enrolling);
}

/** Whether nothing but the link of an administrator tells who the person is, and no password will. */
function isByLinkAlone({ firstFactors }: SignInRules, proofs: readonly Proof[]): boolean {
  if (firstFactors?.includes('password') ?? true) return false;
  const others = proofs.filter(({ kind }) => kind !== 'oneTimeLink');
  return others.length < proofs.length && !hasFirstProof(others);
}

/** The passkey with which the person will begin sign-ins. A link is no way in by itself. */
function firstEnrolment(rules: SignInRules, account: Account, proofs: readonly Proof[]): Enrolment {
  const [page] = pagesFor(rules, account, { proofs, level: 'phr', isFirst: true });
  if (page === undefined || !rules.firstFactors?.includes('passkey'))
    return { kind: 'refused', by: 'organization' };
  const others: WayPage[] = account.passkeys === undefined ? [] : ['passkey'];
  return unprovedCode(rules, account, proofs) ?? { kind: 'page', page, others, isFirst: true };
}

/** What a later day demands that the person does not have. */
function laterEnrolment(
  rules: SignInRules,
  account: Account,
  proofs: readonly Proof[],
  { putsOff, reaches }: Enrolling,
): EnrolStep | undefined {
  if (putsOff) return undefined;
  const { later, laterFirst } = rules;
  if (later !== undefined && !reaches(later.acr)) {
    const [page, ...others] = pagesFor(rules, account, { proofs, level: later.acr });
    if (page !== undefined) return { kind: 'page', page, others, from: later.from };
  }
  // Nobody knows here whether another provider or the mail would let the person in.
  const isOnly = laterFirst?.factors.every((factor) => factor === 'passkey');
  if (laterFirst === undefined || !isOnly || account.passkeys !== undefined) return undefined;
  const [page] = pagesFor(rules, account, { proofs, level: 'phr' });
  return page && { kind: 'page', page, others: [], from: laterFirst.from, isFirst: true };
}

/** What the organization demands at present, for a person who may set it up. */
function demandedEnrolment(
  rules: SignInRules,
  account: Account,
  proofs: readonly Proof[],
  { factor, mayEnrol }: Enrolling,
): Enrolment | undefined {
  const { acr: level } = rules;
  if (factor.kind === 'done' || level === undefined) return undefined;
  if ((factor.kind === 'refused' ? factor.by : factor.askedBy) !== 'organization') return undefined;
  const pages = pagesFor(rules, account, { proofs, level });
  const [page, ...rest] = pages;
  if (page === undefined) return undefined;
  const isRecovering = proofs.some(({ kind }) => kind === 'recoveryCode');
  const recovery: WayPage[] = canRecover(rules, account) ? ['recovery'] : [];
  if (factor.kind === 'refused') {
    if (isRecovering || mayEnrol)
      return unprovedCode(rules, account, proofs) ?? { kind: 'page', page, others: rest };
    if (recovery.length === 0) return undefined;
    return { kind: 'page', page: 'recovery', others: [], askedBy: 'organization' };
  }
  // A person who is asked for a passkey may have lost it.
  if (factor.page !== 'passkey') return undefined;
  if (isRecovering) return { kind: 'page', page, others: [...rest, 'passkey'] };
  return { ...factor, others: [...factor.others, ...(mayEnrol ? pages : recovery)] };
}

/** The step that asks for a one-time code of a person who has an authenticator app and proved none. */
function unprovedCode(
  rules: SignInRules,
  { totp }: Account,
  proofs: readonly Proof[],
): FactorStep | undefined {
  const isProved = proofs.some(({ kind }) => kind === 'code' || kind === 'recoveryCode');
  if (totp === undefined || isProved || !isAllowedProof(rules, { kind: 'code' })) return undefined;
  return { kind: 'page', page: 'code', others: [], askedBy: 'person' };
}

function canRecover(rules: SignInRules, { totp }: Account): boolean {
  return (totp?.recovery?.length ?? 0) > 0 && isAllowedProof(rules, { kind: 'recoveryCode' });
}

/** What is proved so far, and what is to be reached. `isFirst`: a passkey must verify the person, because it will begin sign-ins. */
interface Enrolled {
  readonly proofs: readonly Proof[];
  readonly level: Acr;
  readonly isFirst?: boolean;
}

/** The pages on which the person may set up what then reaches the level. */
function pagesFor(
  rules: SignInRules,
  account: Account,
  { proofs, level, isFirst = false }: Enrolled,
): EnrolPage[] {
  const { hasPasskeys = true } = rules;
  return enrollables
    .filter(({ page, proof, hasRoom }) => {
      const isPossible = page !== 'enrolPasskey' || hasPasskeys;
      const made = isFirst && proof.kind === 'passkey' ? { ...proof, userVerified: true } : proof;
      const reached = levelOf(countedProofs(rules, [...proofs, made]));
      return isPossible && hasRoom(account) && isAllowedProof(rules, proof) && includesAcr(reached, level);
    })
    .map(({ page }) => page);
}
