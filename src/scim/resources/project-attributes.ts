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
  /** The attributes that remain, whole or in part. Absent if all remain. */
  readonly needed?: ReadonlySet<string>;
}

/** The chosen attributes by name, each `whole` or with its chosen sub-attributes. */
type Selection = Map<string, Set<string> | 'whole'>;

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
    : { project: (resource) => resource, asked: new Set() };
}

function select(names: readonly string[], schema: ResourceSchema): Selection {
  const selection: Selection = new Map();
  for (const name of names) {
    const path = schema.find(name.trim());
    if (path === undefined) continue;
    const chosen = selection.get(path.attribute.name);
    if (path.sub === undefined) selection.set(path.attribute.name, 'whole');
    else if (chosen === undefined) selection.set(path.attribute.name, new Set([path.sub.name]));
    else if (chosen !== 'whole') chosen.add(path.sub.name);
  }
  return selection;
}

function keepOnly(selection: Selection, schema: ResourceSchema): Projection {
  const asked = new Set(selection.keys());
  for (const name of alwaysReturned(schema)) selection.set(name, 'whole');
  const project = projector((name) => {
    const chosen = selection.get(name);
    return chosen === undefined || chosen === 'whole' ? chosen === 'whole' : (part) => chosen.has(part);
  });
  return { project, asked, needed: new Set(selection.keys()) };
}

function leaveOut(selection: Selection, schema: ResourceSchema): Projection {
  for (const name of alwaysReturned(schema)) selection.delete(name);
  const project = projector((name) => {
    const chosen = selection.get(name);
    return chosen === undefined || chosen === 'whole' ? chosen === undefined : (part) => !chosen.has(part);
  });
  const whole = (name: string) => selection.get(name) === 'whole';
  return {
    project,
    asked: new Set(),
    needed: new Set(schema.attributes.map(({ name }) => name).filter((name) => !whole(name))),
  };
}

/** How much of an attribute to keep: all, nothing, or the parts that pass a test. */
type Choice = (name: string) => boolean | ((part: string) => boolean);

function projector(choose: Choice): Projection['project'] {
  return (resource) => {
    const kept: ScimResource = {};
    for (const [name, value] of Object.entries(resource)) {
      const choice = choose(name);
      if (choice === false) continue;
      const part = choice === true ? value : partsOf(value, choice);
      if (part !== undefined) kept[name] = part;
    }
    return kept;
  };
}

/** The chosen parts of a complex value, or of each value of a list. Undefined if none is left. */
function partsOf(value: unknown, isChosen: (part: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const parts = value.map((item) => partsOf(item, isChosen)).filter((item) => item !== undefined);
    return parts.length === 0 ? undefined : parts;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => isChosen(name));
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
