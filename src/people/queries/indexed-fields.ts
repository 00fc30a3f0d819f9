import type { EndingField } from '#src/directory/index.js';
import { byId } from '#src/platform/mongo/hinted.js';
import type { CollectionIndexes } from '#src/platform/mongo/indexes.js';
import type { ElementCondition, LeafCondition } from './query.js';

/** How the index of a field is declared. */
interface FieldIndex {
  readonly name: string;
  /** Whether at most one resource of an organization has a value. */
  readonly isUnique: boolean;
  /** Whether the index has every resource, in an order without ties. */
  readonly isSorted: boolean;
}

/** What an index reads to find the matches of a condition. */
interface IndexRead {
  readonly field: string;
  /** The keys of some values, a range of keys, or every key of the organization. */
  readonly reads: 'values' | 'range' | 'everything';
}

/** The field whose index also has the ends of texts. See `endingKey`. */
const endingsField = 'search.attributes';

/** The fields of a collection that have an index, and what the indexes serve. */
export class IndexedFields {
  readonly #fields: ReadonlyMap<string, FieldIndex>;
  readonly #endings: ReadonlyMap<string, EndingField>;

  /** @param endings the fields whose ends are keys in {@link endingsField} */
  constructor({ indexes }: CollectionIndexes, endings: ReadonlyMap<string, EndingField> = new Map()) {
    this.#fields = fieldIndexes(indexes);
    this.#endings = endings;
  }

  /** The name of the index that serves a condition on the field and a sort by the field. */
  indexName(field: string): string {
    return this.#fields.get(field)?.name ?? byId;
  }

  /** The name of the index in whose order lists by this field are read. Undefined if there is none. */
  sortIndexName(field: string): string | undefined {
    const index = this.#fields.get(field);
    return index?.isSorted ? index.name : undefined;
  }

  /** Where an index finds the end of a field. Undefined if there is none. */
  endingOf(field: string): { readonly field: string; readonly name: EndingField } | undefined {
    const name = this.#endings.get(field);
    return name && { field: endingsField, name };
  }

  /** Whether at most one resource of an organization has a value of the field. */
  isUnique(field: string): boolean {
    return this.#fields.get(field)?.isUnique === true;
  }

  /** The condition on the search keys of a list that an index serves. It finds each match, and maybe others. */
  keyOf({ keys }: ElementCondition): LeafCondition | undefined {
    return keys.find((key) => this.isServed(key));
  }

  /** What an index reads to find the matches of a condition. Undefined if there is no index. */
  readOf(leaf: LeafCondition): IndexRead | undefined {
    switch (leaf.kind) {
      case 'equal': {
        const { field, value, anyCase } = leaf;
        const isKey = typeof value === 'string' || value instanceof Date;
        return isKey && !anyCase && this.#fields.has(field) ? { field, reads: 'values' } : undefined;
      }
      case 'oneOf':
        return this.#fields.has(leaf.field) ? { field: leaf.field, reads: 'values' } : undefined;
      case 'range': {
        const { field, anyCase } = leaf;
        return !anyCase && this.#fields.has(field) ? { field, reads: 'range' } : undefined;
      }
      case 'text': {
        const { field, match, anyCase } = leaf;
        if (anyCase || !this.#fields.has(field)) return undefined;
        if (match === 'begins') return { field, reads: 'range' };
        const ending = match === 'ends' ? this.endingOf(field) : undefined;
        return ending ? { field: ending.field, reads: 'range' } : { field, reads: 'everything' };
      }
      default:
        return undefined;
    }
  }

  /** Whether an index finds the matches without reading every key. */
  isServed(leaf: LeafCondition): boolean {
    if (leaf.kind === 'related') return true;
    const reads = this.readOf(leaf)?.reads;
    return reads === 'values' || reads === 'range';
  }
}

/** The fields that have an index of their own: it has the organization, the field, and perhaps the identifier, which breaks ties. */
function fieldIndexes(indexes: CollectionIndexes['indexes']): Map<string, FieldIndex> {
  const fields = new Map<string, FieldIndex>();
  for (const { key, name, unique = false, partialFilterExpression } of indexes) {
    const [first, field, ...others] = Object.keys(key);
    if (first !== 'orgId' || field === undefined || others.some((other) => other !== '_id')) continue;
    const isWhole = partialFilterExpression === undefined;
    const hasId = field === '_id' || others.length > 0;
    fields.set(field, {
      name: name ?? Object.entries(key).flat().join('_'),
      isUnique: field === '_id' || (unique && isWhole),
      isSorted: isWhole && (unique || hasId),
    });
  }
  return fields;
}
