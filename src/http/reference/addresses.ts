import type { OperationObject, ReferenceDocument } from './reference-document.js';

type Based = Pick<ReferenceDocument, 'baseUrl'>;

export const referencePath = '/docs/api';

/** The last part of the address of the page of a tag: `extension schemas` is `extension-schemas`. */
export function sectionOf(tag: string): string {
  return tag.replaceAll(' ', '-');
}

export function tagAddress({ baseUrl }: Based, tag: string): string {
  return `${baseUrl}${referencePath}/${sectionOf(tag)}`;
}

/** The place of an operation on the page of its tag. */
export function operationAddress(document: Based, { tags, operationId }: OperationObject): string {
  return `${tagAddress(document, tags[0] ?? '')}#${operationId}`;
}

export function schemasAddress({ baseUrl }: Based): string {
  return `${baseUrl}${referencePath}/schemas`;
}

export function schemaAddress(document: Based, name: string): string {
  return `${schemasAddress(document)}/${name}`;
}

/** The name of a tag as a title. */
export function titleOf(tag: string): string {
  const names: Readonly<Record<string, string>> = { scim: 'SCIM', oauth: 'OAuth and OpenID Connect' };
  return names[tag] ?? `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`;
}
