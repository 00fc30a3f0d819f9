import { AppError, maxViolations, type Violation } from './errors.js';

type Checks = Readonly<Record<string, () => unknown>>;

/**
 * Runs checks that do not depend on each other, and returns what each of them returns.
 * @throws AppError that of the first check that fails, with the violations of all. An error that is about no value ends the checks
 */
export function checkEach<const T extends Checks>(checks: T): { [K in keyof T]: ReturnType<T[K]> } {
  const refusals = new Refusals();
  const values: Record<string, unknown> = {};
  for (const [name, check] of Object.entries(checks)) values[name] = refusals.try(check);
  refusals.throwIfAny();
  return values as { [K in keyof T]: ReturnType<T[K]> };
}

/** Collects the errors of checks that do not depend on each other. */
export class Refusals {
  readonly #violations: Violation[] = [];
  #first: AppError | undefined;

  /** Runs a check. Returns undefined if it refuses a value. @throws whatever is no refusal of a value, unless a value was refused before */
  try<T>(check: () => T): T | undefined {
    try {
      return check();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  /** Keeps what was thrown. @throws it, if it is no refusal of a value. Another error than a fault gives way to an earlier refusal */
  add(error: unknown): void {
    if (!(error instanceof AppError) || (error.violations.length === 0 && this.#first === undefined))
      throw error;
    this.#first ??= error;
    if (this.#violations.length < maxViolations) this.#violations.push(...error.violations);
  }

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** Whether a value of this attribute was refused. */
  names(attribute: string): boolean {
    return this.#violations.some(
      ({ path: [first = ''] }) => first.split('.', 1)[0] === attribute || first === attribute,
    );
  }

  /** @throws AppError the first that was kept, with the violations of all */
  throwIfAny(): void {
    if (this.#first !== undefined) throw withViolations(this.#first, this.#violations);
  }
}

/** The same error with other violations: each once, and not too many. */
function withViolations(error: AppError, all: readonly Violation[]): AppError {
  if (all.length === error.violations.length) return error;
  const different = new Map(all.map((one) => [JSON.stringify([one.path, one.id, one.params]), one]));
  const { definition, message: detail, retryAfterSeconds, challenge, cause } = error;
  return new AppError(definition, {
    detail,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(challenge !== undefined && { challenge }),
    violations: [...different.values()].slice(0, maxViolations),
    cause,
  });
}
