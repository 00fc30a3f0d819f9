import { type Acr, acrValues } from '#src/directory/index.js';
import type { AuthenticationMethod, Proof } from './proof.js';

/**
 * Returns what a thief must have to give a proof. Two proofs of one source are one factor: who reads the mail of a person has every link
 * and every code that is mailed, and can set the password by such a link.
 */
function sourcesOf(proof: Proof): readonly string[] {
  switch (proof.kind) {
    case 'password':
    case 'mailCode':
    case 'mailLink':
      return ['password or mail'];
    case 'oneTimeLink':
      return isRegistration(proof) ? [] : ['password or mail'];
    case 'code':
    case 'recoveryCode':
      return ['totp'];
    case 'passkey':
      return proof.userVerified ? ['passkey', 'verification'] : ['passkey'];
    case 'connection':
      return proof.strength === '2' ? ['connection', 'second factor'] : ['connection'];
    // Nobody is asked at a remembered browser, so it says nothing about this sign-in.
    case 'rememberedBrowser':
      return [];
  }
}

/** Anybody may send the form of a registration. So it is no factor, and no method of a token. */
function isRegistration(proof: Proof): boolean {
  return proof.kind === 'oneTimeLink' && proof.begunBy === 'registration';
}

/** Returns whether the proofs are of two factors. */
function isMultiFactor(proofs: readonly Proof[]): boolean {
  return new Set(proofs.flatMap(sourcesOf)).size > 1;
}

const methodsOf = {
  password: ['pwd'],
  code: ['otp'],
  recoveryCode: ['otp'],
  mailCode: ['otp'],
  mailLink: ['otp'],
  oneTimeLink: ['otp'],
  connection: ['fed'],
  rememberedBrowser: [],
} as const satisfies Record<Exclude<Proof['kind'], 'passkey'>, readonly AuthenticationMethod[]>;

/** The order in which the methods are told. */
const order: readonly AuthenticationMethod[] = ['pwd', 'otp', 'hwk', 'swk', 'user', 'pop', 'fed', 'mfa'];

/**
 * Returns the `amr` of proofs (RFC 8176). A key is told as `swk` if it may be copied to other devices, or else as `hwk`. Both follow what
 * the authenticator says, because nobody attests it. `user` is the test of presence that every passkey has.
 */
export function amrOf(proofs: readonly Proof[]): AuthenticationMethod[] {
  const told = new Set<AuthenticationMethod>(
    proofs.flatMap((proof): readonly AuthenticationMethod[] => {
      if (proof.kind === 'passkey') return [proof.isSynced ? 'swk' : 'hwk', 'user', 'pop'];
      return isRegistration(proof) ? [] : methodsOf[proof.kind];
    }),
  );
  if (isMultiFactor(proofs)) told.add('mfa');
  return order.filter((method) => told.has(method));
}

/** Returns the highest level that proofs reach. */
export function levelOf(proofs: readonly Proof[]): Acr {
  if (!isMultiFactor(proofs)) return '1';
  return proofs.some(({ kind }) => kind === 'passkey') ? 'phr' : '2';
}

/**
 * Returns the `acr` that a token tells: the highest level of those asked for that the methods reach. If they reach none of them, or none was
 * asked for, it is the number of factors, `1` or `2`. So a client sees `phr` only if it asked for it.
 * @param amr of {@link amrOf}, which tokens keep
 */
export function acrOf(amr: readonly string[], asked: readonly string[] = []): Acr {
  const reached = levelOfMethods(amr);
  const levels = acrValues.slice(0, acrValues.indexOf(reached) + 1);
  return levels.findLast((level) => asked.includes(level)) ?? (reached === 'phr' ? '2' : reached);
}

function levelOfMethods(amr: readonly string[]): Acr {
  if (!amr.includes('mfa')) return '1';
  return amr.includes('hwk') || amr.includes('swk') ? 'phr' : '2';
}
