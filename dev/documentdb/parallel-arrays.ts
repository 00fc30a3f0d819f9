import { BSON } from 'bson';
import { type Element, scan } from './bson-scan.js';
import { type Call, element } from './call.js';
import { CommandError } from './errors.js';
import type { PgPool } from './pg-pool.js';
import { STATEMENTS } from './statements.js';

/** The fields of the compound indexes of each collection, such as `[['orgId'], ['search', 'emails']]`. */
type Indexes = readonly (readonly (readonly string[])[])[];

const embedded = 0x03;
const array = 0x04;

/**
 * Refuses writes that put arrays under two fields of one compound index, as a server does. An update is judged by what it
 * writes itself, not by what the document had before.
 */
export class ParallelArrays {
  readonly #pool: PgPool;
  readonly #indexes = new Map<string, Promise<Indexes>>();

  constructor(pool: PgPool) {
    this.#pool = pool;
  }

  /** @throws CommandError with code 171 */
  async refuse(call: Call): Promise<void> {
    const indexes = await this.#indexesOf(call);
    if (indexes.length === 0) return;
    for (const places of writtenBy(call)) {
      for (const fields of indexes) {
        const [one, other] = new Set(fields.flatMap((field) => firstArray(places, field) ?? []));
        if (other !== undefined)
          throw new CommandError(171, `cannot index parallel arrays [${one}] [${other}]`);
      }
    }
  }

  /** Forgets the indexes that a command may have changed. */
  changedBy({ name, db, target }: Call): void {
    if (name === 'createIndexes' || name === 'dropIndexes' || name === 'drop')
      this.#indexes.delete(`${db}.${target}`);
    if (name === 'dropDatabase' || name === 'renameCollection') this.#indexes.clear();
  }

  #indexesOf({ db, target }: Call): Promise<Indexes> {
    const namespace = `${db}.${target}`;
    const known = this.#indexes.get(namespace);
    if (known !== undefined) return known;
    const read = this.#read(db, target);
    this.#indexes.set(namespace, read);
    read.catch(() => this.#indexes.delete(namespace));
    return read;
  }

  async #read(db: string, collection: string): Promise<Indexes> {
    const rows = await this.#pool.run(STATEMENTS.indexKeys, [db, collection]);
    return rows
      .map(([key]) => Object.keys(BSON.deserialize(key ?? Buffer.alloc(0))).map((path) => path.split('.')))
      .filter((fields) => fields.length > 1);
  }
}

/** What an operation writes at a path: a value, or an array. */
interface Place {
  readonly path: readonly string[];
  readonly bytes: Buffer;
  readonly element: Element;
  /** Whether the value becomes an element of an array at the path. */
  readonly isPushed: boolean;
}

/** The places that each operation of a write writes to. */
function* writtenBy(call: Call): Iterable<Place[]> {
  if (call.name === 'insert') {
    for (const document of documentsOf(call, 'documents')) yield placesOf(document);
  } else if (call.name === 'update') {
    for (const operation of documentsOf(call, 'updates')) yield placesOfUpdate(operation, 'u');
  } else {
    yield placesOfUpdate(call.body, 'update');
  }
}

function* documentsOf(call: Call, field: string): Iterable<Buffer> {
  const { sequence } = call;
  if (sequence !== null) {
    for (let at = 0; at < sequence.length; at += sequence.readInt32LE(at))
      yield sequence.subarray(at, at + sequence.readInt32LE(at));
    return;
  }
  const list = element(call, field);
  if (list?.type !== array) return;
  const bytes = call.body.subarray(list.value, list.end);
  for (const one of scan(bytes)) yield bytes.subarray(one.value, one.end);
}

function placesOfUpdate(operation: Buffer, field: string): Place[] {
  const update = scan(operation).find(({ name }) => name === field);
  // A pipeline computes what it writes.
  if (update?.type !== embedded) return [];
  const bytes = operation.subarray(update.value, update.end);
  const parts = scan(bytes);
  if (!parts[0]?.name.startsWith('$')) return placesOf(bytes);
  return parts.flatMap(({ name, value, end }) => {
    if (name === '$set' || name === '$setOnInsert') return placesOf(bytes.subarray(value, end));
    return name === '$push' || name === '$addToSet' ? placesOf(bytes.subarray(value, end), true) : [];
  });
}

const placesOf = (bytes: Buffer, isPushed = false): Place[] =>
  scan(bytes).map((element) => ({ path: element.name.split('.'), bytes, element, isPushed }));

/** The path of the first array on the way to an indexed field, if the places have one there. */
function firstArray(places: readonly Place[], field: readonly string[]): string | undefined {
  for (const { path, bytes, element, isPushed } of places) {
    if (path.length > field.length || !path.every((name, at) => name === field[at])) continue;
    const depth = isPushed ? path.length : arrayDepth(bytes, element, field, path.length);
    if (depth > 0) return field.slice(0, depth).join('.');
  }
  return undefined;
}

/** The number of names of the field that lead to the first array, or 0. `depth` of them lead to the element. */
function arrayDepth(
  bytes: Buffer,
  { type, value, end }: Element,
  field: readonly string[],
  depth: number,
): number {
  if (type === array) return depth;
  if (type !== embedded || depth === field.length) return 0;
  const inner = bytes.subarray(value, end);
  const next = scan(inner).find(({ name }) => name === field[depth]);
  return next === undefined ? 0 : arrayDepth(inner, next, field, depth + 1);
}
