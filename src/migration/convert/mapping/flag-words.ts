/** The targets that are true or false. */
const flagTargets: readonly string[] = ['active', 'emailVerified', 'phoneVerified', 'passwordChangeRequired'];

const yes = new Set(['true', 'yes', '1', 't', 'y']);
const no = new Set(['false', 'no', '0', 'f', 'n']);

/** Whether a target is true or false. */
export function isFlagTarget(target: string): boolean {
  return flagTargets.includes(target);
}

/** Reads a word for true or false, as tables have them. PostgreSQL writes one letter, and spreadsheets write capitals. Undefined for others. */
export function readFlag(word: string): boolean | undefined {
  const folded = word.toLowerCase();
  if (yes.has(folded)) return true;
  return no.has(folded) ? false : undefined;
}

/**
 * The `values` of a flag. All letter cases of a word count as one word. So do all words for true, and all words for false. Otherwise
 * `"blocked": { "true": "no" }` would let in a person whose table says `TRUE`. Words of the mapping that disagree count only as they stand.
 */
export class FlagWords {
  readonly #given: Readonly<Record<string, string>>;
  readonly #folded = new Map<string, string | undefined>();

  constructor(given: Readonly<Record<string, string>>) {
    this.#given = given;
    for (const [word, value] of Object.entries(given)) {
      for (const form of new Set([word.toLowerCase(), sense(word)])) {
        const known = this.#folded.get(form);
        this.#folded.set(form, this.#folded.has(form) && known !== value ? undefined : value);
      }
    }
  }

  /** The word that the mapping has for a text. Undefined if it has none. */
  get(text: string): string | undefined {
    if (Object.hasOwn(this.#given, text)) return this.#given[text];
    return this.#folded.get(text.toLowerCase()) ?? this.#folded.get(sense(text));
  }
}

/** A name that all words for true share, and all words for false. */
function sense(word: string): string {
  const flag = readFlag(word);
  return flag === undefined ? word.toLowerCase() : `flag ${flag}`;
}
