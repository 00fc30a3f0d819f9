import type { Filter } from '../filter/ast.js';
import type { ComplexValue } from '../resources/read-value.js';
import type { AttributePath } from '../schema/resource-schema.js';
import type { PatchWork } from './patch-work.js';

/** One PATCH operation on one attribute (RFC 7644 section 3.5.2). */
export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly path: PatchPath;
  /** As the client sent it. */
  readonly value: unknown;
}

/** The target: an attribute, or only some of its values, or only one sub-attribute of them. */
export interface PatchPath extends AttributePath {
  readonly selector?: Selector;
}

/** Selects values of a multi-valued attribute. */
export interface Selector {
  readonly filter: Filter;
  readonly matches: (value: ComplexValue, work: PatchWork) => boolean;
  /** The value to create if none matches. Absent if the filter does not determine one. */
  readonly seed?: ComplexValue;
}
