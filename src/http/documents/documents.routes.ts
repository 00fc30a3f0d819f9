import { hash } from 'node:crypto';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';
import { guidesPath } from '../base/guides-path.js';
import { describeRoutes } from '../base/route-facts.js';
import { answerErrorPage } from '../pages/error-page.js';
import { sendPage } from '../pages/html.js';
import { publicDocument } from '../responses/public-document.js';
import { documentStylesheet, documentStylesheetPath } from './document-stylesheet.js';
import { documentFiles, readDocument } from './documents.js';

/** A document as it is sent. */
interface Sendable {
  readonly bytes: Buffer;
  /** Weak, because the compressed form has it too. */
  readonly tag: string;
  readonly isPage: boolean;
}

/** The most entity tags of a request that are compared. */
const maxTags = 50;

/** The guides and the other documents, which anybody may read: the index at `/docs/guides`, and every document at its address. */
export function documentsRoutes({ baseUrl }: Pick<Config, 'baseUrl'>): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((thrown, request, reply) => answerErrorPage(thrown, { request, reply }, { baseUrl }));
    describeRoutes(app, { page: true, needsNoStore: true, compressible: true });
    const schema = { hide: true };
    const document = documentsByAddress(baseUrl);
    const stylesheet = publicDocument(documentStylesheet);

    for (const path of [guidesPath, `${guidesPath}/:name`, '/docs/:name', '/docs/mappings/:name'])
      app.get<{ Params: { name?: string } }>(path, { schema }, async (request, reply) => {
        const address = path.replace(':name', () => request.params.name ?? '');
        return send(request, reply, await document(address));
      });
    app.get(documentStylesheetPath, { schema }, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type('text/css; charset=utf-8')
        .send(stylesheet.plain),
    );
  };
}

/** A browser asks each time whether its copy is still that of this version of the service. */
function send({ headers }: FastifyRequest, reply: FastifyReply, { bytes, tag, isPage }: Sendable) {
  reply.header('etag', tag);
  const isKnown = (headers['if-none-match'] ?? '')
    .split(',', maxTags)
    .some((one) => one.trim() === tag || one.trim() === '*');
  if (isKnown) return reply.header('cache-control', 'no-cache').code(304).send();
  if (isPage) return sendPage(reply, bytes, { cacheable: true, scripts: true });
  return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(bytes);
}

/**
 * Returns a function that makes a document once, and then gives it to everybody. There is a fixed number of documents.
 * @throws AppError later, if no document has the address
 */
function documentsByAddress(baseUrl: string): (address: string) => Promise<Sendable> {
  const known = new Map<string, Promise<Sendable>>();
  return async (address) => {
    const file = (await documentFiles()).get(address);
    if (file === undefined) throw new AppError(httpErrors.notFound);
    let made = known.get(address);
    if (made === undefined) {
      made = makeDocument(file, baseUrl);
      known.set(address, made);
      made.catch(() => known.delete(address));
    }
    return made;
  };
}

/** The code of the pages is loaded when the first person asks for one. */
async function makeDocument(file: string, baseUrl: string): Promise<Sendable> {
  const isPage = file.endsWith('.md');
  const text = isPage
    ? await (await import('./document-page.js')).documentPage(file, baseUrl)
    : await readDocument(file);
  const { plain: bytes } = publicDocument(text);
  return { bytes, tag: `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`, isPage };
}
