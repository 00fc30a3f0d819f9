import type { JsonObject } from '#src/platform/json/json-object.js';
import type { Mapping } from '../mapping/read-mapping.js';
import { mappingOf } from '../mapping/read-mapping.js';
import { conversionProblems } from '../reading/conversion-problems.js';
import { type Problems, refusal } from '../reading/problems.js';
import { ConversionError } from '../reading/read-fields.js';
import { whoIn } from '../reading/who-in.js';
import { guessMapping, type MappingGuess } from './guess-mapping.js';

interface Place {
  readonly file: string;
  readonly line: number;
}

/** So many records decide. They are held until they are there. */
const enough = 100;
const mostNamed = 50;
const longestTold = 100;

/** No column has such a name. It is a cell of a table whose names are missing. */
const isAddress = /^[^\s@[\]]{1,64}@[^\s@[\]]+\.[^\s@.[\]]+$/;

/** Holds the first records of a conversion until its mapping is guessed. */
export class AwaitedGuess {
  #held: { readonly fields: JsonObject; readonly place: Place; readonly go: () => void }[] = [];
  #made: MappingGuess | undefined;
  #mapping: Mapping | undefined;
  readonly #problems: Problems;

  constructor(problems: Problems) {
    this.#problems = problems;
  }

  /** The guess. Call it after {@link settle}. */
  get made(): MappingGuess {
    return this.#made ?? guessMapping([]);
  }

  /** The guessed mapping, while a record is converted. */
  get mapping(): Mapping {
    this.#mapping ??= mappingOf(this.made.mapping);
    return this.#mapping;
  }

  /** @param go converts the record. It throws a ConversionError for what is no person */
  take(fields: JsonObject, place: Place, go: () => void): void {
    if (this.#made === undefined) {
      this.#held.push({ fields, place, go });
      if (this.#held.length === enough) this.settle();
    } else if (!this.#made.lacksUserName) go();
  }

  /** There are no more records. If nothing gives them a user name, that is told once. */
  settle(): void {
    if (this.#made !== undefined) return;
    this.#made = guessMapping(this.#held.map(({ fields }) => fields));
    const held = this.#held;
    this.#held = [];
    const [first] = held;
    if (first !== undefined && this.#made.columns.some(({ name }) => isAddress.test(name))) {
      const detail = `${conversionProblems.noNameColumn}: the first line has an address where the names of the columns belong. Write a line with names before it`;
      this.#made = { ...this.#made, lacksUserName: true };
      this.#problems.add(refusal(first.place, { id: 'noNameColumn', params: { detail } }));
      return;
    }
    if (this.#made.lacksUserName && first !== undefined) {
      const names = this.#made.columns.slice(0, mostNamed).map(({ name }) => JSON.stringify(name));
      const detail = `${conversionProblems.noNameColumn}. A mapping (--map) says what does. There are: ${names.join(', ')}`;
      this.#problems.add(refusal(first.place, { id: 'noNameColumn', params: { detail } }));
      return;
    }
    if (first !== undefined) this.#tellLeftOut(this.#made, first.place);
    for (const { fields, place, go } of held) {
      try {
        go();
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        this.#problems.add(refusal(place, error.known, { who: whoIn(fields) }));
      }
    }
  }

  /** What the guess leaves out although it decides who may sign in, and how. */
  #tellLeftOut({ unclearHash, unknownStates }: MappingGuess, place: Place): void {
    const shown = (name: string) => JSON.stringify(name.slice(0, longestTold));
    if (unclearHash !== undefined) {
      const { hash, beside, kind } = unclearHash;
      const message = `${shown(hash)} has hashes and ${shown(beside)} their ${kind}. They are left out: a mapping (--map) says in passwordHash how they go together`;
      this.#problems.add({ severity: 'note', ...place, message });
    }
    for (const name of unknownStates.slice(0, mostNamed)) {
      const message = `${shown(name)} may say who is not active, in words that are not known. It is left out: a mapping (--map) says what they mean`;
      this.#problems.add({ severity: 'note', ...place, message });
    }
  }
}
