import type { Account } from '#src/accounts/index.js';
import { type Acr, includesAcr, primaryEmail, receivesMail } from '#src/directory/index.js';
import { nextEnrolment } from './next-enrolment.js';
import { hasFirstProof, type Proof, type TimedProof } from './proof.js';
import { countedProofs, isAllowedProof, type SignInRules } from './sign-in-rules.js';
import type { AskedBy, FactorPage, FactorStep, RefusedStep, SignInStep } from './sign-in-step.js';
import { levelOf } from './strength.js';

/** What an application asks of a sign-in. */
export interface SignInDemands {
  /** The levels of which one is essential (OpenID Connect Core section 5.5.1.1). Empty if no sign-in reaches any. */
  readonly essential?: readonly Acr[] | undefined;
  /** The level that the application demands by its settings. */
  readonly least?: Acr | undefined;
  /** The levels of `acr_values`, the preferred one first. They never refuse anybody. */
  readonly preferred?: readonly Acr[] | undefined;
  /** Proofs of an earlier sign-in count from this time on, in milliseconds since 1970. Undefined if all count. */
  readonly since?: number | undefined;
}

/** What a sign-in is besides its proofs. */
export interface SignInMarks {
  /** Whether the person may set up a factor that is demanded already: after a link of an administrator, and in the sign-in of a registration. */
  readonly mayEnrol?: boolean;
  /** Whether the person wants to set up the factor of a later day another time. */
  readonly putsOff?: boolean;
}

const done = { kind: 'done' } as const;

/**
 * Decides what a sign-in needs next, in this order: a proof of who the person is, a second factor, the proof of the address, a new
 * password. It reads nothing, so every route asks it with what it knows at that moment. A rule that changed in the middle of a sign-in
 * holds from then on.
 * @param proofs of the sign-in so far, and those of the session that still count
 */
export function nextStep(
  rules: SignInRules,
  account: Account,
  proofs: readonly (Proof | TimedProof)[],
  wanted: SignInDemands & SignInMarks,
): SignInStep {
  const { mayEnrol = false, putsOff = false, ...demands } = wanted;
  const factor = nextFactor(rules, account, proofs, demands);
  const reachable = waysOf(rules, account).map(({ proof }) => proof);
  const most = levelForRules([...countedProofs(rules, proofs), ...reachable]);
  const reaches = (level: Acr) => includesAcr(most, level);
  const enrolment = nextEnrolment(rules, account, proofs, { factor, mayEnrol, putsOff, reaches });
  if (enrolment !== undefined) {
    // Whoever sits at a remembered browser proved no second factor, and a new one would be theirs for good.
    const proved = proofs.filter(({ kind }) => kind !== 'rememberedBrowser');
    return proved.length < proofs.length ? nextStep(rules, account, proved, wanted) : enrolment;
  }
  if (factor.kind !== 'done') return factor;
  if (rules.verifyEmail === true && primaryEmail(account.user)?.verified === false)
    return { kind: 'page', page: 'verifyEmail' };
  // Who proved something else does not need the password, and may change it later.
  const isDue = account.password?.changeRequired === true && proofs.some(({ kind }) => kind === 'password');
  return isDue ? { kind: 'page', page: 'newPassword' } : done;
}

/** What a person can prove something with. */
type FactorsOf = Pick<Account, 'password' | 'totp' | 'passkeys'> & {
  readonly user: Pick<Account['user'], 'emails'>;
};

/** The part of {@link nextStep} that concerns factors. A session that exists needs no other step. */
export function nextFactor(
  rules: SignInRules,
  account: FactorsOf,
  given: readonly Proof[],
  demands: SignInDemands,
): FactorStep | RefusedStep | typeof done {
  const proofs = countedProofs(rules, given);
  if (!hasFirstProof(proofs)) return { kind: 'page', page: 'login', others: [], askedBy: 'person' };
  const possible = waysOf(rules, account);
  for (const { levels, askedBy, isNeeded } of lackedLevels(rules, possible, { proofs, demands })) {
    // Mail counts for the organization and the person, and for no application.
    const countedAt = askedBy === 'application' ? levelOf : levelForRules;
    const [page, ...others] =
      levels
        .map((level) => waysTo(level, possible, { proofs, countedAt }))
        .find((found) => found.length > 0) ?? [];
    if (page !== undefined) return { kind: 'page', page, others, askedBy };
    if (isNeeded && askedBy !== 'person') return { kind: 'refused', by: askedBy };
  }
  return done;
}

/**
 * Returns whether the proofs of a session meet the rules and the demands, so that nobody reads the account. `false` means only that
 * {@link nextFactor} must decide.
 */
export function isEnough(
  rules: SignInRules,
  given: readonly Proof[],
  { essential, least, preferred: [preferred] = [] }: SignInDemands,
): boolean {
  const proofs = countedProofs(rules, given);
  if (!hasFirstProof(proofs)) return false;
  const reached = levelOf(proofs);
  const meets = (level: Acr | undefined) => level === undefined || includesAcr(reached, level);
  const isAllowed = rules.acr === undefined || includesAcr(levelForRules(proofs), rules.acr);
  return isAllowed && meets(least) && (essential?.some(meets) ?? true) && meets(preferred);
}

/** Proofs of a person who need not read the mail for them. Only after one of them is a mailed code another factor. */
const withoutMail: readonly Proof['kind'][] = ['password', 'passkey', 'connection'];

/**
 * The level that counts for the rules of the organization. Some proofs are a second factor there, and never for an application. A code that
 * was mailed is none after a link that was mailed, because whoever reads the mailbox has both.
 */
export function levelForRules(proofs: readonly Proof[]): Acr {
  const reached = levelOf(proofs);
  const beganWithoutMail = proofs.some(({ kind }) => withoutMail.includes(kind));
  const isSecond = (proof: Proof) => {
    if (proof.kind === 'mailCode') return beganWithoutMail;
    return proof.kind === 'rememberedBrowser' && (proof.by !== 'mailCode' || beganWithoutMail);
  };
  return reached === '1' && proofs.some(isSecond) ? '2' : reached;
}

/** Levels that a sign-in lacks, and of which it should reach one. The first that the person can reach is asked for. */
interface LackedLevels {
  readonly levels: readonly Acr[];
  readonly askedBy: AskedBy;
  /** Whether the sign-in is refused if the person can reach none of them. */
  readonly isNeeded: boolean;
}

function lackedLevels(
  rules: SignInRules,
  possible: readonly Way[],
  { proofs, demands }: { proofs: readonly Proof[]; demands: SignInDemands },
): LackedLevels[] {
  const { essential, least, preferred = [] } = demands;
  const reached = levelOf(proofs);
  const forRules = levelForRules(proofs);
  const lacked: LackedLevels[] = [];
  if (rules.acr !== undefined && !includesAcr(forRules, rules.acr))
    lacked.push({ levels: [rules.acr], askedBy: 'organization', isNeeded: true });
  // A person who set up a second factor is asked for it at every sign-in.
  const hasTotp = possible.some(({ page }) => page === 'code');
  if (hasTotp && !includesAcr(forRules, '2'))
    lacked.push({ levels: ['2'], askedBy: 'person', isNeeded: false });
  if (least !== undefined && !includesAcr(reached, least))
    lacked.push({ levels: [least], askedBy: 'application', isNeeded: true });
  if (essential !== undefined && !essential.some((level) => includesAcr(reached, level)))
    lacked.push({ levels: essential, askedBy: 'application', isNeeded: true });
  const met = preferred.findIndex((level) => includesAcr(reached, level));
  lacked.push({
    levels: met === -1 ? preferred : preferred.slice(0, met),
    askedBy: 'application',
    isNeeded: false,
  });
  return lacked;
}

/** Something that a person may prove, with the page that asks for it. */
interface Way {
  readonly page: FactorPage;
  readonly proof: Proof;
  readonly has: (account: FactorsOf) => boolean;
}

/** The usual way comes first. */
const ways: readonly Way[] = [
  { page: 'code', proof: { kind: 'code' }, has: ({ totp }) => totp !== undefined },
  // Nobody knows before whether the authenticator will verify the person.
  {
    page: 'passkey',
    proof: { kind: 'passkey', credentialId: '', userVerified: false, isSynced: false },
    has: ({ passkeys }) => passkeys !== undefined,
  },
  { page: 'mailCode', proof: { kind: 'mailCode' }, has: ({ user }) => receivesMail(user) },
  { page: 'login', proof: { kind: 'password' }, has: ({ password }) => password !== undefined },
];

/** What the person has, and the organization allows. */
function waysOf(rules: SignInRules, account: FactorsOf): Way[] {
  return ways.filter(({ proof, has }) => has(account) && isAllowedProof(rules, proof));
}

/** Returns the pages that lead from the proofs to a level. Empty if all that the person has does not reach it. */
function waysTo(
  level: Acr,
  possible: readonly Way[],
  { proofs, countedAt }: { proofs: readonly Proof[]; countedAt: (proofs: readonly Proof[]) => Acr },
): FactorPage[] {
  const reached = countedAt(proofs);
  if (!includesAcr(countedAt([...proofs, ...possible.map(({ proof }) => proof)]), level)) return [];
  const pages = possible
    .filter(({ proof }) => {
      const then = countedAt([...proofs, proof]);
      return then !== reached && includesAcr(then, reached);
    })
    .map(({ page }) => page);
  // After a mailed link, a mailed code counts only together with the password.
  return pages.length > 0 ? pages : possible.flatMap(({ page }) => (page === 'login' ? [page] : []));
}
