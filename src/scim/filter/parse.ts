import { hasUnusableCharacters, isLongerThan, unusableCharacters } from '#src/directory/index.js';
import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import { scimErrors } from '../protocol/errors.js';
import { limits } from '../protocol/limits.js';
import { type ComparisonOperator, comparisonOperators } from '../schema/search-rule.js';
import type { Filter, Literal } from './ast.js';
import { lex, type Token } from './lex.js';

const maxLength = limits.filterLength;
const maxDepth = 32;

/**
 * Parses the filter grammar of RFC 7644 section 3.4.2.2.
 * @throws AppError `scim.filterTooLong`, `scim.filterSyntax`
 */
export function parseFilter(text: string): Filter {
  if (isLongerThan(text, maxLength)) throw new AppError(scimErrors.filterTooLong);
  const parser = new FilterParser(text, scimErrors.filterSyntax);
  const filter = parser.disjunction();
  parser.expectEnd();
  return filter;
}

/** A recursive-descent parser. The parser of PATCH paths reads the same tokens. */
export class FilterParser {
  readonly #tokens: readonly Token[];
  readonly #invalid: ErrorDefinition;
  #next = 0;
  #depth = 0;

  /** @param invalid the error for malformed text */
  constructor(text: string, invalid: ErrorDefinition) {
    this.#tokens = lex(text, invalid);
    this.#invalid = invalid;
  }

  /** Parses a filter. `and` binds tighter than `or`, and `not` tighter than both. */
  disjunction(): Filter {
    return this.#list('or', () => this.#list('and', () => this.#term()));
  }

  /** Consumes the next token if it is of this kind, and returns its text. */
  take(kind: Token['kind']): string | undefined {
    const token = this.#tokens[this.#next];
    if (token?.kind !== kind) return undefined;
    this.#next += 1;
    return token.text;
  }

  /** Consumes the next token, which must be of this kind. */
  expect(kind: Token['kind']): string {
    return this.take(kind) ?? this.#fail(`expected ${kind}`);
  }

  expectEnd(): void {
    this.expect('end');
  }

  /** Parses the filter in brackets after a multi-valued attribute. The caller has consumed the opening bracket. */
  elementFilter(): Filter {
    const filter = this.#nested(() => this.disjunction());
    this.expect(']');
    return filter;
  }

  #list(kind: 'and' | 'or', operand: () => Filter): Filter {
    const first = operand();
    const operands = [first];
    while (this.#takeKeyword(kind)) operands.push(operand());
    return operands.length === 1 ? first : { kind, operands };
  }

  #term(): Filter {
    if (this.take('(') !== undefined) return this.#group();
    if (this.#takeKeyword('not')) {
      this.expect('(');
      return { kind: 'not', operand: this.#group() };
    }
    const name = this.expect('word');
    if (this.take('[') === undefined) return this.#test(name);
    const filter = this.elementFilter();
    const suffix = this.take('suffix');
    return suffix === undefined
      ? { kind: 'element', name, filter }
      : someElement(name, filter, this.#test(suffix));
  }

  #group(): Filter {
    const filter = this.#nested(() => this.disjunction());
    this.expect(')');
    return filter;
  }

  #nested(inner: () => Filter): Filter {
    this.#depth += 1;
    if (this.#depth > maxDepth) this.#fail(`more than ${maxDepth} levels`);
    const filter = inner();
    this.#depth -= 1;
    return filter;
  }

  /** Parses what follows a name: `pr`, or an operator and a literal. */
  #test(name: string): Filter {
    const word = this.expect('word').toLowerCase();
    if (word === 'pr') return { kind: 'present', name };
    if (!isOperator(word)) return this.#fail(`${word} is no operator`);
    const literal = this.#literal();
    if (literal !== null) return { kind: 'compare', name, operator: word, literal };
    if (word === 'ne') return { kind: 'present', name };
    if (word === 'eq') return { kind: 'not', operand: { kind: 'present', name } };
    return this.#fail('null can only be compared by eq and ne');
  }

  #literal(): Literal | null {
    const json = this.take('string') ?? this.take('number') ?? this.expect('word').toLowerCase();
    if (json === 'null') return null;
    if (json === 'true' || json === 'false') return json === 'true';
    if (!/^["\d-]/.test(json))
      return this.#fail('expected a literal: a quoted string, a number, true, false or null');
    const literal = JSON.parse(json) as string | number;
    if (typeof literal === 'string' && hasUnusableCharacters(literal))
      this.#fail(`the literal has ${unusableCharacters}`);
    return literal;
  }

  #takeKeyword(keyword: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== 'word' || token.text.toLowerCase() !== keyword) return false;
    this.#next += 1;
    return true;
  }

  #fail(detail: string): never {
    throw new AppError(this.#invalid, { detail: `${this.#invalid.message}: ${detail}` });
  }
}

/**
 * `emails[type eq "work"].value sw "a"` means the same as `emails[type eq "work" and value sw "a"]`. A negative test means
 * that no selected value passes the positive test.
 */
function someElement(name: string, filter: Filter, test: Filter): Filter {
  if (test.kind === 'not') return { kind: 'not', operand: someElement(name, filter, test.operand) };
  if (test.kind === 'compare' && test.operator === 'ne') {
    return { kind: 'not', operand: someElement(name, filter, { ...test, operator: 'eq' }) };
  }
  return { kind: 'element', name, filter: { kind: 'and', operands: [filter, test] } };
}

function isOperator(word: string): word is ComparisonOperator {
  return (comparisonOperators as readonly string[]).includes(word);
}
