import type { HumanUserRecord } from '../../format/human-user.record.js';
import { ListedValues } from './listed-values.js';
import type { MappingAttribute } from './mapping-attribute.js';
import type { RecordReader } from './record-reader.js';
import { DraftRecord, putValue } from './targets.js';

/** What the attributes of a mapping make of one person, before the rules. */
export class MadeValues {
  readonly draft: DraftRecord;
  readonly groups: string[] = [];
  readonly metadata: [key: string, value: string][] = [];
  /** Most people have no list. */
  lists: ListedValues | undefined;
  readonly notes: string[] = [];
  /** The targets that have a value of the mapping, if their attributes are noted. */
  readonly targets = new Set<string>();

  constructor(found: HumanUserRecord) {
    this.draft = new DraftRecord(found);
  }

  /**
   * @returns false if the value is left out, with a note
   * @throws ConversionError when the target does not take the value, and the person cannot do without
   */
  put(attribute: MappingAttribute, value: string, reader: RecordReader): boolean {
    const { to, kind, type, verified } = attribute;
    const told = this.notes.length;
    if (attribute.isNoted) this.targets.add(to);
    if (kind.of === 'group') this.groups.push(value);
    else if (kind.of === 'metadata') this.metadata.push([kind.key, value]);
    else if (kind.of === 'single' && verified === undefined)
      putValue(this.draft, { placement: kind.placement, value }, this.notes);
    else if (kind.of === 'address') this.#listed().addAddress(kind.part, { value, type });
    else {
      const isVerified = typeof verified === 'object' ? reader.holds(verified) : verified;
      if (kind.of === 'list') {
        const known = isVerified === undefined ? {} : { verified: isVerified };
        this.#listed().add(kind.list, { value, ...(type !== undefined && { type }), ...known }, this.notes);
      } else {
        putValue(this.draft, { placement: kind.placement, value }, this.notes);
        if (isVerified !== undefined)
          putValue(this.draft, { placement: kind.verified, value: String(isVerified) }, this.notes);
      }
    }
    return this.notes.length === told;
  }

  #listed(): ListedValues {
    this.lists ??= new ListedValues();
    return this.lists;
  }
}
