import { documentFrame } from '../documents/document-frame.js';
import type { Html, HtmlValue } from '../pages/html.js';
import { referencePath, schemasAddress, tagAddress, titleOf } from './addresses.js';
import type { ReferenceDocument } from './reference-document.js';

/** A whole page of the reference: the links to all sections, then the content. It is in English, as the document is. */
export function referenceFrame(
  document: ReferenceDocument,
  { title, current, content }: { title: string; current?: string; content: HtmlValue },
): Html {
  const { baseUrl, tags } = document;
  const start = `${baseUrl}${referencePath}`;
  const sections = [
    { address: start, label: 'All operations' },
    ...tags.map(({ name }) => ({ address: tagAddress(document, name), label: titleOf(name) })),
    { address: schemasAddress(document), label: 'Schemas' },
  ];
  return documentFrame({ baseUrl, title, of: 'Muster API', sections, current: current ?? start, content });
}
