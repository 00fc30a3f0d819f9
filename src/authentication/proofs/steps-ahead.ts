import type { Account } from '#src/accounts/index.js';
import { nextStep } from './next-step.js';
import type { Proof } from './proof.js';
import type { SignInRules } from './sign-in-rules.js';
import type { RefusedStep, SignInPage } from './sign-in-step.js';

/** What a sign-in asks for, if every answer is right. */
interface StepsAhead {
  /** The pages, in order. */
  readonly pages: readonly SignInPage[];
  /** Who refuses the sign-in after them. */
  readonly refusedBy?: RefusedStep['by'];
}

const passkey: Proof = { kind: 'passkey', credentialId: '', userVerified: true, isSynced: false };

/** What the person has proved after a page. The other pages prove nothing about who it is. */
const provedAt: Partial<Record<SignInPage, Proof>> = {
  login: { kind: 'password' },
  code: { kind: 'code' },
  mailCode: { kind: 'mailCode' },
  passkey,
  recovery: { kind: 'recoveryCode' },
  enrol: { kind: 'code' },
  enrolPasskey: passkey,
};

/** Returns what a sign-in asks for after its first proof, by the decisions of {@link nextStep}. No application demands anything. */
export function stepsAhead(rules: SignInRules, account: Account, first: Proof): StepsAhead {
  const pages: SignInPage[] = [];
  let proofs: readonly Proof[] = [first];
  for (;;) {
    const verifyEmail = rules.verifyEmail === true && !pages.includes('verifyEmail');
    // A factor that is set up is not asked for again.
    const putsOff = pages.includes('enrol') || pages.includes('enrolPasskey');
    const step = nextStep({ ...rules, verifyEmail }, account, proofs, { putsOff });
    if (step.kind === 'refused') return { pages, refusedBy: step.by };
    // A page that is asked for again was of no use.
    if (step.kind === 'done' || pages.includes(step.page)) return { pages };
    pages.push(step.page);
    const proof = provedAt[step.page];
    if (proof !== undefined) proofs = [...proofs, proof];
  }
}
