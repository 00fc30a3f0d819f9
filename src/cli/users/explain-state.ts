import { plainWord } from '../terminal/plain-text.js';
import type { Lock, SignInState } from './sign-in-state.js';

/** Something that keeps a person out, and how to mend it. */
export interface Explanation {
  readonly reason: string;
  readonly remedy: string;
}

/** Returns what prevents the sign-in of a user, with a remedy each. Empty if the user can sign in. */
export function explainObstacles(state: SignInState): Explanation[] {
  const user = `${shellWord(state.userId)} --org ${shellWord(state.orgId)}`;
  const unlock = `muster users unlock ${user}`;
  const until = (of: string) => state.locks.filter((lock) => lock.of === of).map(lockText);
  return state.obstacles.flatMap((obstacle): Explanation[] => {
    switch (obstacle) {
      case 'inactive':
        return [{ reason: 'The user is inactive.', remedy: `muster users enable ${user}` }];
      case 'noPassword':
        return [
          {
            reason: 'The user has no password.',
            remedy:
              'The login page sends a link to the e-mail address, if the service has a mail server. Or send the person the link of POST ' +
              `/admin/v1/orgs/${plainWord(state.orgId)}/users/${plainWord(state.userId)}/one-time-links`,
          },
        ];
      case 'passwordsOff':
        return [
          {
            reason: 'The sign-in policy of the organization lets no password sign in.',
            remedy: `The user signs in in another way. Or allow passwords with ${policyCommand(state)}`,
          },
        ];
      case 'factorMissing':
        return [
          {
            reason: 'The sign-in policy of the organization demands a factor that the user does not have.',
            remedy: `Make a one-time link, which leads to the page that sets it up. Or change the demand with ${policyCommand(state)}`,
          },
        ];
      case 'passwordLocked':
        return until('password').map((text) => ({
          reason: `The account is locked ${text}. New browsers are refused the right password like a wrong one.`,
          remedy: unlock,
        }));
      case 'loginNameLocked':
        return state.locks
          .filter(({ of }) => of === 'loginName')
          .map((lock) => ({
            reason: `The login name ${plainWord(lock.loginName)} is locked ${lockText(lock)}.`,
            remedy: unlock,
          }));
      case 'codeLocked':
        return until('code').map((text) => ({
          reason: `The second factor is locked ${text}.`,
          remedy: unlock,
        }));
      default:
        return [{ reason: `The service says: ${plainWord(obstacle)}.`, remedy: 'Use a newer muster.' }];
    }
  });
}

function policyCommand({ orgId }: Pick<SignInState, 'orgId'>): string {
  return `muster sign-in-policy set ${shellWord(orgId)}`;
}

/** Returns a line for each rule of the sign-in policy that the user cannot meet. */
export function explainRules({ unmetRules }: Pick<SignInState, 'unmetRules'>): string[] {
  return unmetRules.map((one) => {
    const day = one.from === '' ? '' : ` from ${one.from} on`;
    if (one.rule === 'firstFactors')
      return plainWord(`The sign-in policy lets a sign-in begin only with ${one.factors.join(', ')}${day}.`);
    if (one.rule !== 'demand') return plainWord(`The service names the rule ${one.rule}.`);
    const whom = [one.of, ...one.groups].join(' ');
    const until = one.holds ? '' : ` Until then, each sign-in asks the user to set it up.`;
    return plainWord(`The sign-in policy demands the level ${one.acr} of ${whom}${day}.${until}`);
  });
}

/** Returns a text as one word of a shell, so that a person can copy the command. */
function shellWord(text: string): string {
  const word = plainWord(text);
  return /^[\w.~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns why a name does not lead to a user who has it, or whose address it is. */
export function explainName(name: string, { loginNames }: Pick<SignInState, 'loginNames'>): Explanation {
  return {
    reason: `At the login page, ${plainWord(name)} does not mean this person.`,
    remedy:
      `Sign in as ${loginNames.map(plainWord).join(' or ')}, or type the organization there too. The page asks for it after a failed ` +
      'sign-in.',
  };
}

function lockText({ failures, until }: Lock): string {
  return `until ${plainWord(until)}, after ${failures} refused attempts`;
}

const stepTexts: Record<string, string> = {
  code: 'a code of the authenticator app',
  passkey: 'a passkey',
  recovery: 'a recovery code',
  enrol: 'the set-up of an authenticator app or a passkey',
  enrolPasskey: 'the set-up of a passkey',
  verifyEmail: 'a code that is mailed to the address',
  newPassword: 'a new password',
};

/** Returns what a sign-in asks for after the password, as a sentence. '' if nothing. */
export function explainSteps({ steps }: SignInState): string {
  if (steps.length === 0) return '';
  const texts = steps.map((step) => stepTexts[step] ?? plainWord(step));
  return `After the password, the sign-in asks for ${texts.join(' and ')}.`;
}

const refusals: Record<string, string> = {
  password: 'password refused',
  code: 'code of the second factor refused',
  passkey: 'passkey refused',
  lock: 'this refusal began a lock',
};

const reasons: Record<string, string> = {
  passwordWrong: 'wrong password',
  passwordMissing: 'the user had no password',
  passwordsOff: 'the sign-in policy of the organization lets no password sign in',
  inactive: 'the user was inactive',
  locked: 'the account was locked, the password may have been right',
  changedMeanwhile: 'the password or the second factor was changed at that moment',
  codeWrong: 'wrong code of the second factor',
  passkeyWrong: 'the passkey did not match',
  passkeyCounter: 'the counter of the passkey went back: two authenticators may have it',
};

/** Returns a line for each recent refused sign-in. */
export function explainRefusals({ refused }: Pick<SignInState, 'refused'>): string[] {
  return refused.map(({ time, reason, why, address, userAgent, clientId }) => {
    const what = reason === 'lock' ? refusals[reason] : (reasons[why] ?? refusals[reason] ?? reason);
    const from = [
      address && `from ${address}`,
      clientId && `application ${clientId}`,
      userAgent && `browser ${userAgent}`,
    ].filter((fact) => fact !== '');
    const origin = reason === 'lock' ? [] : from;
    return plainWord(`${time}  ${[what, ...origin].join(', ')}`);
  });
}
