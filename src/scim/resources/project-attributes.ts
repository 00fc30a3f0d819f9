import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from '../protocol/errors.js';
import type { ResourceSchema } from '../schema/resource-schema.js';
import type { ScimResource } from './scim-resource.js';

/** Reduces a resource to the attributes that the client wants. */
export interface Projection {
  readonly project: (resource: ScimResource) => ScimResource;
  /** The attributes that the client named in `attributes`. */
  readonly asked: ReadonlySet<string>;
  /** Whether a part remains that is named by its path, such as `name` and `givenName`. */
  readonly keeps: (...path: string[]) => boolean;
  /** The attributes that remain, whole or in part. Absent if all remain. */
  readonly needed?: ReadonlySet<string>;
}

/** The chosen attributes by name, each `whole` or with its chosen sub-attributes. */
interface Selection extends Map<string, Selection | 'whole'> {}

function alwaysReturned({ attributes }: ResourceSchema): string[] {
  return attributes.filter(({ returned }) => returned === 'always').map(({ name }) => name);
}

/**
 * Compiles `attributes` or `excludedAttributes` (RFC 7644 section 3.9) once for all resources of a request.
 * Unknown names are ignored. Attributes that are always returned stay.
 * @throws AppError `scim.bothProjections`
 */
export function compileProjection(
  schema: ResourceSchema,
  attributes: readonly string[] = [],
  excludedAttributes: readonly string[] = [],
): Projection {
  if (attributes.length > 0 && excludedAttributes.length > 0) throw new AppError(scimErrors.bothProjections);
  if (attributes.length > 0) return keepOnly(select(attributes, schema), schema);
  return excludedAttributes.length > 0
    ? leaveOut(select(excludedAttributes, schema), schema)
    : { project: (resource) => resource, asked: new Set(), keeps: () => true };
}

function select(names: readonly string[], schema: ResourceSchema): Selection {
  const selection: Selection = new Map();
  for (const name of names) {
    const path = schema.find(name.trim());
    if (path === undefined) continue;
    const { attribute, sub, leaf } = path;
    choose(
      selection,
      [attribute, sub, leaf].flatMap((one) => one?.name ?? []),
    );
  }
  return selection;
}

function choose(selection: Selection, [name, ...inner]: readonly string[]): void {
  if (name === undefined) return;
  const chosen = selection.get(name);
  if (inner.length === 0) selection.set(name, 'whole');
  else if (chosen !== 'whole') {
    const selected: Selection = chosen ?? new Map();
    selection.set(name, selected);
    choose(selected, inner);
  }
}

function keepOnly(selection: Selection, schema: ResourceSchema): Projection {
  const asked = new Set(selection.keys());
  for (const name of alwaysReturned(schema)) selection.set(name, 'whole');
  return { ...projector(selection, 'chosen'), asked, needed: new Set(selection.keys()) };
}

function leaveOut(selection: Selection, schema: ResourceSchema): Projection {
  for (const name of alwaysReturned(schema)) selection.delete(name);
  const whole = (name: string) => selection.get(name) === 'whole';
  return {
    ...projector(selection, 'others'),
    asked: new Set(),
    needed: new Set(schema.attributes.map(({ name }) => name).filter((name) => !whole(name))),
  };
}

/** @param remaining whether the chosen parts remain, or all others */
function projector(
  selection: Selection,
  remaining: 'chosen' | 'others',
): Pick<Projection, 'project' | 'keeps'> {
  const keepsChosen = remaining === 'chosen';
  const entriesOf = (value: object, selected: Selection): [string, unknown][] =>
    Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
      const choice = selected.get(name);
      if (choice === undefined) return keepsChosen ? [] : [[name, inner]];
      if (choice === 'whole') return keepsChosen ? [[name, inner]] : [];
      const rest = selectedOf(inner, choice);
      return rest === undefined ? [] : [[name, rest]];
    });
  /** The parts of a complex value, or of each value of a list, that remain. Undefined if none is left. */
  const selectedOf = (value: unknown, selected: Selection): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((item) => selectedOf(item, selected)).filter((item) => item !== undefined);
      return items.length === 0 ? undefined : items;
    }
    if (!isJsonObject(value)) return value;
    const entries = entriesOf(value, selected);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const keeps = (...path: string[]) => {
    let selected = selection;
    for (const name of path) {
      const choice = selected.get(name);
      if (choice === undefined) return !keepsChosen;
      if (choice === 'whole') return keepsChosen;
      selected = choice;
    }
    return true;
  };
  return { project: (resource) => Object.fromEntries(entriesOf(resource, selection)), keeps };
}
