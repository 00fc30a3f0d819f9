import type { HumanUserRecord } from '../../format/human-user.record.js';
import { ListedValues, type listTargets } from './listed-values.js';
import type { MappingAttribute } from './mapping-attribute.js';
import type { RecordReader } from './record-reader.js';
import { isOfAddress, putValue, takesSeveral } from './targets.js';

/** What the attributes of a mapping make of one person, before the rules. */
export class MadeValues {
  record: HumanUserRecord;
  readonly groups: string[] = [];
  readonly metadata: [key: string, value: string][] = [];
  readonly lists = new ListedValues();
  readonly notes: string[] = [];
  /** The targets that have a value of the mapping. */
  readonly targets = new Set<string>();

  constructor(found: HumanUserRecord) {
    this.record = found;
  }

  has(target: string): boolean {
    return this.targets.has(target);
  }

  /**
   * @returns false if the value is left out, with a note
   * @throws ConversionError when the target does not take the value, and the person cannot do without
   */
  put({ to, type, verified }: MappingAttribute, value: string, reader: RecordReader): boolean {
    const told = this.notes.length;
    this.targets.add(to);
    if (to === 'group') this.groups.push(value);
    else if (to.startsWith('metadata:')) this.metadata.push([to.slice('metadata:'.length), value]);
    else if (isOfAddress(to)) this.lists.addAddress(to, { value, type });
    else {
      const isVerified = typeof verified === 'object' ? reader.holds(verified) : verified;
      if (isList(to)) {
        const known = isVerified === undefined ? {} : { verified: isVerified };
        this.lists.add(to, { value, ...(type !== undefined && { type }), ...known }, this.notes);
      } else {
        this.record = putValue(this.record, { to, value }, this.notes);
        if (isVerified !== undefined) {
          const flag = { to: `${to}Verified`, value: String(isVerified) };
          this.record = putValue(this.record, flag, this.notes);
        }
      }
    }
    return this.notes.length === told;
  }
}

function isList(target: string): target is (typeof listTargets)[number] {
  return target !== 'group' && takesSeveral(target);
}
