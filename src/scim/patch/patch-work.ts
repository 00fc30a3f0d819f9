import { AppError } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';

/** The steps of one request. A processor does them within 50 ms. Known provisioning clients need a tenth at most. */
const maxSteps = 250_000;

/** One step covers a search whose two lengths have this product, and a comparison of two texts with this length together. */
const searchedPerStep = 50;

/** Turns a text into the form in which it is compared, such as `foldCase`. */
type Fold = (text: string) => string;

/**
 * The work that one PATCH request causes by comparing values. Operations, conditions and values multiply. Without a limit
 * a short request could keep the process from serving anybody else.
 */
export class PatchWork {
  #left = maxSteps;
  readonly #folded = new Map<Fold, Map<string, string>>();
  readonly #numbers = new Map<unknown, number>();

  /** @throws AppError `scim.tooMuchWork` */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) {
      throw new AppError(scimErrors.tooMuchWork, {
        detail: `The operations need more than ${maxSteps} steps to compare values. Send them in several requests`,
      });
    }
  }

  /** Spends what a search for one text in another may take. */
  spendSearch(text: string, wanted: string): void {
    this.spend(Math.floor((text.length * wanted.length) / searchedPerStep));
  }

  /** Spends what it takes to find which of two texts comes first. */
  spendOrder(text: string, wanted: string): void {
    this.spend(Math.floor((text.length + wanted.length) / searchedPerStep));
  }

  /** The folded text. Each text is folded once. */
  fold(fold: Fold, text: string): string {
    this.spend(1);
    let known = this.#folded.get(fold);
    if (known === undefined) {
      known = new Map();
      this.#folded.set(fold, known);
    }
    let folded = known.get(text);
    if (folded === undefined) {
      // A character with many combining marks takes as long as a step.
      this.spend(text.length);
      folded = fold(text);
      known.set(text, folded);
    }
    return folded;
  }

  /** A number that stands for this text or flag in keys. Equal ones have the same number. */
  numberOf(part: unknown): number {
    let number = this.#numbers.get(part);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(part, number);
    }
    return number;
  }
}
