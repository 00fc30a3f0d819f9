import type { HumanUserRecord } from '../../format/human-user.record.js';
import { ConversionError } from '../reading/read-fields.js';
import { isEmpty, type SourceRecord } from '../reading/source-record.js';
import type { MappingRules } from './mapping-schema.js';

/** The people whose second factor no sign-in here asks for: it does not come over, or it is a passkey, which is only kept. */
export class LostFactors {
  #count = 0;

  /**
   * Returns the record as the rule has it.
   * @param given `hasFactor`: the reader found a second factor. `paths`: where a record may have others
   * @throws ConversionError when the rule refuses the person
   */
  apply(
    record: HumanUserRecord,
    source: SourceRecord,
    given: {
      readonly hasFactor: boolean;
      readonly paths: readonly (readonly string[])[];
      readonly rule: MappingRules['secondFactors'];
    },
  ): HumanUserRecord {
    const hasFactor = given.hasFactor || given.paths.some((path) => !isEmpty(source.look(...path)));
    // An authenticator app that came over is a second factor here.
    if (!hasFactor || record.user.otpCode !== undefined) return record;
    if (given.rule === 'refuse')
      throw new ConversionError(
        'a second factor that sign-ins here do not ask for; rules.secondFactors refuses it',
      );
    this.#count += 1;
    if (given.rule !== 'link') return record;
    const { email } = record.user;
    if (email?.isEmailVerified !== true) {
      throw new ConversionError(
        'a second factor that sign-ins here do not ask for, and no verified address for the link of rules.secondFactors',
      );
    }
    const {
      password: _password,
      hashedPassword: _hash,
      passwordChangeRequired: _change,
      ...user
    } = record.user;
    return { ...record, user };
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
