import { ConversionError } from '../reading/read-fields.js';
import { isEmpty, type SourceRecord } from '../reading/source-record.js';
import type { MappingRules } from './mapping-schema.js';
import type { DraftUser } from './targets.js';

/**
 * The people whose second factor no sign-in here asks for by itself: it does not come over, or it is a passkey, which only a sign-in policy
 * demands.
 */
export class LostFactors {
  #count = 0;

  /**
   * Changes a user that is being made as the rule has it. Call it before the rules for passwords: `link` leaves them out.
   * @param given `hasFactor`: the reader found a second factor. `paths`: where a record may have others
   * @throws ConversionError when the rule refuses the person
   */
  apply(
    user: DraftUser,
    source: SourceRecord,
    given: {
      readonly hasFactor: boolean;
      readonly paths: readonly (readonly string[])[];
      readonly rule: MappingRules['secondFactors'];
    },
  ): void {
    const hasFactor = given.hasFactor || given.paths.some((path) => !isEmpty(source.look(...path)));
    // An authenticator app that came over is a second factor here.
    if (!hasFactor || user.otpCode !== undefined) return;
    if (given.rule === 'refuse') throw new ConversionError('secondFactor');
    this.#count += 1;
    if (given.rule !== 'link') return;
    if (user.email?.isEmailVerified !== true) {
      throw new ConversionError('secondFactorUnverified');
    }
    user.password = undefined;
    user.hashedPassword = undefined;
    user.passwordChangeRequired = undefined;
  }

  /** Their number. */
  get count(): number {
    return this.#count;
  }

  /** What to tell about them at the end. Undefined if there are none. */
  told(rule: MappingRules['secondFactors']): string | undefined {
    if (this.#count === 0) return undefined;
    const what =
      rule === 'link'
        ? 'Their passwords are left out too, so that each sets a new one by a link'
        : 'They sign in with the password alone; rules.secondFactors of a mapping can refuse them, or let them set a new password by a link';
    return `Second factors that sign-ins here do not ask for: those of ${this.#count} people. ${what}`;
  }
}
