import type { FastifyInstance, FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';
import { describeRoutes } from '../base/route-facts.js';
import { answerErrorPage } from '../pages/error-page.js';
import { type Html, sendPage } from '../pages/html.js';
import { publicDocument } from '../responses/public-document.js';
import { referencePath } from './addresses.js';
import type { ReferenceDocument } from './reference-document.js';

type Pages = Awaited<ReturnType<typeof load>>['pages'];

/** The reference of the API at `/docs/api`: the OpenAPI document as pages, which anybody may read. */
export function referenceRoutes({ baseUrl }: Pick<Config, 'baseUrl'>): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler((thrown, request, reply) => answerErrorPage(thrown, { request, reply }, { baseUrl }));
    describeRoutes(app, { page: true, needsNoStore: true, compressible: true });
    const render = renderer(app, baseUrl);
    const schema = { hide: true };
    const send = (reply: FastifyReply, page: Buffer) => sendPage(reply, page, { scripts: true });

    app.get(referencePath, { schema }, async (_request, reply) =>
      send(reply, await render('', (pages, document) => pages.overviewPage(document))),
    );
    app.get<{ Params: { section: string } }>(
      `${referencePath}/:section`,
      { schema },
      async ({ params }, reply) =>
        send(
          reply,
          await render(params.section, (pages, document) => pages.tagPage(document, params.section)),
        ),
    );
    app.get(`${referencePath}/schemas`, { schema }, async (_request, reply) =>
      send(reply, await render('schemas', (pages, document) => pages.schemasPage(document))),
    );
    app.get<{ Params: { name: string } }>(
      `${referencePath}/schemas/:name`,
      { schema },
      async ({ params }, reply) =>
        send(
          reply,
          await render(`schemas/${params.name}`, (pages, document) =>
            pages.schemaPage(document, params.name),
          ),
        ),
    );
  };
}

/**
 * Returns a function that makes a page once, and then gives it to everybody. The document has a fixed number of pages.
 * @throws AppError later, if there is no such page
 */
function renderer(app: FastifyInstance, baseUrl: string) {
  let loaded: Promise<{ pages: Pages; document: ReferenceDocument }> | undefined;
  const known = new Map<string, Buffer>();
  return async (
    name: string,
    page: (pages: Pages, document: ReferenceDocument) => Html | undefined,
  ): Promise<Buffer> => {
    const cached = known.get(name);
    if (cached !== undefined) return cached;
    loaded ??= load(app, baseUrl);
    const { pages, document } = await loaded;
    const made = page(pages, document);
    if (made === undefined) throw new AppError(httpErrors.notFound);
    const { plain } = publicDocument(made.toString());
    known.set(name, plain);
    return plain;
  };
}

/** Loads the document and the code of the pages when the first person asks for them. */
async function load(app: FastifyInstance, baseUrl: string) {
  const { overviewPage, tagPage, schemasPage, schemaPage } = await import('./reference-pages.js');
  const { referenceDocument } = await import('./reference-document.js');
  const pages = { overviewPage, tagPage, schemasPage, schemaPage };
  return { pages, document: referenceDocument(await app.describeApi(), baseUrl) };
}
