import type { PartComparison, VerifiedCounts } from '../../digest/part-comparison.js';
import { RecordSum, totalDigest } from '../../digest/record-digest.js';
import type { Verified } from '../../digest/verified.js';
import type { ImportForm } from '../lists/section/section.js';
import { organizationKey } from '../lists/section/section-keys.js';

/** What the parts of one list have summed up, and what the file does not have. */
interface ListSum {
  readonly counts: { -readonly [name in keyof VerifiedCounts | 'extra']: number };
  readonly source: RecordSum;
  readonly target: RecordSum;
}

/** The sums of a verification, by list. */
export class ListSums {
  readonly #lists = new Map<string, ListSum>();

  get lists(): string[] {
    return [...this.#lists.keys()];
  }

  /** The records that were compared. In the external form, organizations are no records. */
  compared(form: ImportForm): number {
    let sum = 0;
    for (const [list, { counts }] of this.#lists) {
      if (list === organizationKey && form === 'external') continue;
      sum += counts.same + counts.missing + counts.different + counts.refused;
    }
    return sum;
  }

  add(list: string, { source, target, ...part }: PartComparison): void {
    const sum = this.of(list);
    for (const name of ['same', 'missing', 'different', 'refused'] as const) sum.counts[name] += part[name];
    sum.source.addBytes(source);
    sum.target.addBytes(target);
  }

  /** Adds an object that the file does not have. @param text the object, in a form that no other object has */
  addExtra(list: string, text: string): void {
    const sum = this.of(list);
    sum.counts.extra += 1;
    sum.target.add(text);
  }

  /** The sums of a list, from now on also if it is empty. */
  of(list: string): ListSum {
    const known = this.#lists.get(list);
    if (known !== undefined) return known;
    const counts = { same: 0, missing: 0, different: 0, refused: 0, extra: 0 };
    const added = { counts, source: new RecordSum(), target: new RecordSum() };
    this.#lists.set(list, added);
    return added;
  }

  result(): Verified {
    const lists = [...this.#lists]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([list, sum]) => {
        const { counts, source, target } = sum;
        return { list, ...counts, sourceDigest: source.digest(), targetDigest: target.digest() };
      });
    const digestOf = (side: 'sourceDigest' | 'targetDigest') =>
      totalDigest(new Map(lists.map((one) => [one.list, one[side]])));
    const [sourceDigest, targetDigest] = [digestOf('sourceDigest'), digestOf('targetDigest')];
    const differing = lists.reduce(
      (sum, { missing, different, refused, extra }) => sum + missing + different + refused + extra,
      0,
    );
    const isSame = differing === 0 && sourceDigest === targetDigest;
    return { isSame, sourceDigest, targetDigest, lists };
  }
}
