import { AppError } from '#src/platform/errors.js';
import { scimErrors } from './errors.js';

/** The most entity tags of a header that are read. */
const maxTags = 50;

/** A resource whose version changes with it. */
export interface VersionedResource {
  readonly version: number;
  readonly created: Date;
  /** When an import added it, if that is not the date of creation. */
  readonly imported?: Date;
}

/** The versions that a client names, or any version. */
export type NamedVersions = ReadonlySet<string> | 'any';

/**
 * The entity tag of a resource (RFC 7644 section 3.14), which is also its `meta.version` (RFC 7643 section 3.1). It is weak, because the
 * bytes of a response also depend on the wanted attributes and on compression.
 */
export function entityTag(resource: VersionedResource): string {
  return `W/"${opaqueTag(resource)}"`;
}

/**
 * The text in the quotes of an entity tag. It names the time when the resource came too, because an import may bring a removed resource
 * back with its identifier and its date of creation. The versions of the two count from 1, and mean different states.
 */
function opaqueTag({ version, created, imported = created }: VersionedResource): string {
  return `${version}-${imported.getTime().toString(36)}`;
}

/**
 * Reads `If-Match`, `If-None-Match`, or the `version` of a Bulk operation. The text in the quotes may also stand by itself, because
 * earlier versions had it so in `meta.version`. SCIM compares weak tags, also where RFC 9110 section 13.1.1 wants strong ones.
 * @returns undefined if the client names no version
 */
export function readEntityTags(text: string | undefined): NamedVersions | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const tags = text.split(',', maxTags).map((tag) => tag.trim());
  if (tags.includes('*')) return 'any';
  return new Set(tags.map((tag) => /^(?:W\/)?"(.*)"$/.exec(tag)?.[1] ?? tag));
}

/** Whether the resource has one of the versions. */
export function hasVersion(resource: VersionedResource, named: NamedVersions): boolean {
  return named === 'any' || named.has(opaqueTag(resource));
}

/**
 * Makes the check that a resource has one of the versions. A change calls it with the resource that it replaces.
 * @returns a function that throws AppError `scim.versionChanged`; undefined if no version is named
 */
export function requireVersion(
  named: NamedVersions | undefined,
  noun: 'user' | 'group',
): ((current: VersionedResource) => void) | undefined {
  if (named === undefined) return undefined;
  return (current) => {
    if (hasVersion(current, named)) return;
    throw new AppError(scimErrors.versionChanged, {
      detail: `The ${noun} has the version ${entityTag(current)}`,
    });
  };
}
