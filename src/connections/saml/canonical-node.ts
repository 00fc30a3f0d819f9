import { declarations, type XmlAttribute, type XmlElement } from './xml-tree.js';

/** A prefix with its namespace. '' is the default namespace. */
interface Binding {
  readonly prefix: string;
  readonly namespaceURI: string;
}

/**
 * An element as a canonicalizer reads it: the few properties of the DOM that it uses. It is made of the tree that was checked, so that no
 * second parser reads the document. The canonicalizer may add namespaces. The tree stays as it is.
 */
export class CanonicalNode {
  readonly nodeType = 1;
  readonly nodeName: string;
  readonly tagName: string;
  readonly prefix: string;
  readonly localName: string;
  readonly namespaceURI: string;
  readonly attributes: CanonicalAttribute[];
  readonly childNodes: readonly (CanonicalNode | { readonly data: string })[];

  /** @param without an element that is left out, with everything in it */
  constructor(element: XmlElement, without?: XmlElement) {
    const { prefix, name, namespace, attributes, content } = element;
    this.prefix = prefix;
    this.localName = name;
    this.namespaceURI = namespace;
    this.tagName = qualified({ prefix, name });
    this.nodeName = this.tagName;
    this.attributes = attributes.map((attribute) => new CanonicalAttribute(attribute));
    this.childNodes = content
      .filter((one) => one !== without)
      .map((one) => (typeof one === 'string' ? { data: one } : new CanonicalNode(one, without)));
  }

  /** Adds a namespace of an ancestor to the element. It has none with this prefix itself. */
  setAttributeNS(namespace: string, name: string, value: string): void {
    const [prefix = '', local = ''] = name.split(':');
    this.attributes.push(new CanonicalAttribute({ namespace, prefix, name: local, value }));
  }

  getAttribute(name: string): string | null {
    return this.attributes.find((one) => one.name === name)?.value ?? null;
  }

  /** By these two, the library knows a node of the DOM. It calls none of them here. */
  appendChild(): never {
    throw new Error('The tree stays as it is');
  }

  removeChild(): never {
    throw new Error('The tree stays as it is');
  }
}

class CanonicalAttribute {
  readonly name: string;
  readonly prefix: string;
  readonly localName: string;
  readonly namespaceURI: string;
  readonly value: string;

  constructor(attribute: XmlAttribute) {
    this.name = qualified(attribute);
    this.prefix = attribute.prefix;
    this.localName = attribute.name;
    this.namespaceURI = attribute.namespace;
    this.value = attribute.value;
  }
}

/** The namespaces that an element has from its ancestors, without those that it declares anew or uses in its own name. */
export function inheritedNamespaces(element: XmlElement): Binding[] {
  const found = new Map<string, string>();
  const own = new Set([element.prefix, ...declaredBy(element).map(({ prefix }) => prefix)]);
  for (let ancestor = element.parent; ancestor !== undefined; ancestor = ancestor.parent) {
    // The nearest one counts.
    for (const { prefix, namespaceURI } of declaredBy(ancestor))
      if (!own.has(prefix) && !found.has(prefix)) found.set(prefix, namespaceURI);
  }
  const all = [...found].map(([prefix, namespaceURI]) => ({ prefix, namespaceURI }));
  return all.filter(({ namespaceURI }) => namespaceURI !== '');
}

function declaredBy({ attributes }: XmlElement): Binding[] {
  return attributes
    .filter(({ namespace }) => namespace === declarations)
    .map(({ prefix, name, value }) => ({ prefix: prefix === '' ? '' : name, namespaceURI: value }));
}

function qualified({ prefix, name }: { readonly prefix: string; readonly name: string }): string {
  return prefix === '' ? name : `${prefix}:${name}`;
}
