import { guidesPath } from '../base/guides-path.js';
import { indexFile, linkAddress } from './document-address.js';
import { documentFrame } from './document-frame.js';
import { readDocument } from './documents.js';
import { type RenderedDocument, renderMarkdown } from './render-markdown.js';

/** The section of the index for people who change Muster. Its documents are not served. */
const forContributors = '\n## Change it\n';

/** The page of a document. The links beside it are the sections of the index. */
export async function documentPage(file: string, baseUrl: string): Promise<string> {
  const index = await rendered(indexFile, baseUrl);
  const { title, content } = file === indexFile ? index : await rendered(file, baseUrl);
  const start = `${baseUrl}${guidesPath}`;
  return documentFrame({
    baseUrl,
    title,
    of: 'Muster guides',
    sections: [
      { address: start, label: 'All guides' },
      ...index.sections.map(({ id, label }) => ({ address: `${start}#${id}`, label })),
      { address: `${baseUrl}/docs/api`, label: 'API reference' },
    ],
    current: file === indexFile ? start : undefined,
    content,
    kind: 'guide',
  }).toString();
}

async function rendered(file: string, baseUrl: string): Promise<RenderedDocument> {
  const text = await readDocument(file);
  const [shown = ''] = file === indexFile ? text.split(forContributors) : [text];
  return renderMarkdown(shown, (target) => linkAddress(file, target, baseUrl));
}
