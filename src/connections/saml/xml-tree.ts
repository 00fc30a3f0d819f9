import { SaxesParser } from 'saxes';
import { ProviderFailure } from '../provider/provider-failure.js';

/** An element of a document, with its namespaces resolved. */
export interface XmlElement {
  readonly namespace: string;
  /** '' for none. It means nothing. A signature covers it. */
  readonly prefix: string;
  /** The name without its prefix. */
  readonly name: string;
  readonly attributes: readonly XmlAttribute[];
  readonly parent: XmlElement | undefined;
  readonly children: readonly XmlElement[];
  /** The texts and elements that stand directly in the element, in their order. */
  readonly content: readonly (string | XmlElement)[];
  /** The text that stands directly in the element. */
  readonly text: string;
}

export interface XmlAttribute {
  /** '' for most attributes. */
  readonly namespace: string;
  readonly prefix: string;
  readonly name: string;
  readonly value: string;
}

/** An element while it is read. */
interface OpenElement extends XmlElement {
  readonly children: OpenElement[];
  readonly content: (string | OpenElement)[];
  text: string;
}

/** The namespace of namespace declarations (Namespaces in XML section 3). */
export const declarations = 'http://www.w3.org/2000/xmlns/';
/** A SAML response has a depth of about 10. Canonicalization calls itself for each level. */
const mostDepth = 30;
/** 256 KiB have room for about 3,000 values of attributes. */
const mostElements = 10_000;
const mostAttributes = 30;

/**
 * Reads a document of a stranger. It must be well-formed, and has elements and text alone: no DTD, so no entities and nothing that leads
 * elsewhere, no CDATA, no processing instruction, and no comment. Text with a comment in it reads differently in different parsers.
 * @param options `comments`: whether comments are left out instead, for documents that nobody signed
 * @throws ProviderFailure `answerInvalid`
 */
export function readXml(text: string, { comments = false }: { comments?: boolean } = {}): XmlElement {
  // What is not wanted begins with one of these. A text or an attribute has no such character unescaped.
  if (comments ? /<!(?!--)/.test(text) : text.includes('<!'))
    throw unreadable('has a declaration, a comment or a CDATA section');
  if (text.indexOf('<?', 1) !== -1) throw unreadable('has a processing instruction');
  const parser = new SaxesParser({ xmlns: true });
  let root: OpenElement | undefined;
  let current: OpenElement | undefined;
  let [depth, elements] = [0, 0];
  parser.on('opentag', ({ uri: namespace, prefix, local, attributes }) => {
    const given = Object.values(attributes);
    if (++depth > mostDepth || ++elements > mostElements || given.length > mostAttributes)
      throw unreadable('is too deep, or has too many elements or attributes');
    // The parser takes them for the namespace without the space, and other readers do not.
    if (given.some(({ uri, value }) => uri === declarations && value.trim() !== value))
      throw unreadable('has a namespace with white space');
    const opened: OpenElement = {
      ...{ namespace, prefix, name: local, parent: current, children: [], content: [], text: '' },
      attributes: given.map((one) => ({
        ...{ namespace: one.uri, prefix: one.prefix, name: one.local, value: one.value },
      })),
    };
    current?.children.push(opened);
    current?.content.push(opened);
    root ??= opened;
    current = opened;
  });
  parser.on('text', (more) => {
    if (current === undefined) return;
    current.text += more;
    current.content.push(more);
  });
  parser.on('closetag', () => {
    depth--;
    current = current?.parent as OpenElement | undefined;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    throw error instanceof ProviderFailure ? error : unreadable('is no well-formed XML');
  }
  if (root === undefined) throw unreadable('is empty');
  return root;
}

/** The value of an attribute without a namespace. */
export function attributeValue({ attributes }: XmlElement, name: string): string | undefined {
  return attributes.find((one) => one.namespace === '' && one.name === name)?.value;
}

export function childrenOf({ children }: XmlElement, namespace: string, name: string): XmlElement[] {
  return children.filter((child) => child.namespace === namespace && child.name === name);
}

/** The element and everything in it, in the order of the document. */
export function* allIn(element: XmlElement): Generator<XmlElement> {
  yield element;
  for (const child of element.children) yield* allIn(child);
}

/** The text of an element that has nothing but text, without the white space of XML around it. Undefined if it has elements. */
export function textOnly({ children, text }: XmlElement): string | undefined {
  return children.length === 0 ? withoutXmlSpace(text) : undefined;
}

/** Other white space is a part of the text (XML 1.0 section 2.3): somebody else has the same name with a no-break space. */
function withoutXmlSpace(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && isXmlSpace(text.charAt(from))) from++;
  while (from < to && isXmlSpace(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}

function isXmlSpace(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || character === '\t';
}

function unreadable(what: string): ProviderFailure {
  return new ProviderFailure('answerInvalid', `The document of the provider ${what}`);
}
