import { hash } from 'node:crypto';

/** Identifiers that conversions make of names. Each depends on the organization, so two organizations never need the same one. */

/** What an identifier is made of, for objects whose source has none. */
interface Owned {
  readonly orgId: string;
  readonly name: string;
}

/** The identifier of a person without one. Another conversion of the same user name gives the same. */
export function personIdentifier({ orgId, name }: Owned): string {
  return digestOf(`person ${orgId} ${name.toLowerCase()}`);
}

/** The identifier of a group without one. @param of `name`: folded, because names differ in more than letter case */
export function groupIdentifier({ orgId, name }: Owned): string {
  return digestOf(`group ${orgId} ${name}`);
}

/** The identifier of a group of a tree without one. @param of `name`: its path, which no other group of the tree has */
export function groupPathIdentifier({ orgId, name }: Owned): string {
  return digestOf(`path ${orgId} ${name}`);
}

/** Whether a conversion made the identifier of this user name. Earlier conversions left out the organization. */
export function isOfPerson(id: string, { orgId, name }: Owned): boolean {
  return id === digestOf(`person ${name.toLowerCase()}`) || id === personIdentifier({ orgId, name });
}

/**
 * Whether a conversion may have made the identifier of a group. Earlier conversions left out the organization, or took SHA-256 of a path
 * that the record of the group does not have.
 * @param of `name`: folded
 */
export function isOfGroup(id: string, { orgId, name }: Owned): boolean {
  return (
    /^[0-9a-f]{64}$/.test(id) || id === digestOf(`group ${name}`) || id === groupIdentifier({ orgId, name })
  );
}

function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 32);
}
