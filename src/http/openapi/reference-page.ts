import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';
import { AppError } from '#src/platform/errors.js';
import { acceptsGzip } from '../bodies/content-encoding.js';
import { httpErrors } from '../errors.js';
import { html } from '../pages/html.js';

/** Swagger UI has its icons in the style sheet. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves `/docs/api`: the OpenAPI document as a page that people read. Everything that it loads comes from this service. */
export function publishReference(app: FastifyInstance, { baseUrl }: Pick<Config, 'baseUrl'>): void {
  const page = referencePage(baseUrl);
  const facts = { page: true, needsNoStore: true } as const;
  const schema = { hide: true };
  app.get('/docs/api', { config: { ...facts, compressible: true }, schema }, (_request, reply) =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'no-referrer')
      .header('x-frame-options', 'DENY')
      .header('cache-control', 'max-age=300')
      .type('text/html; charset=utf-8')
      .send(page),
  );
  app.get<{ Params: { name: string } }>(
    '/docs/api/:name',
    { config: facts, schema },
    async (request, reply) => {
      // What nobody asks for is not loaded.
      const { referenceFile } = await import('./reference-files.js');
      const file = await referenceFile(request.params.name);
      if (file === undefined) throw new AppError(httpErrors.notFound);
      return sendFile(request, reply, file);
    },
  );
}

type File = Awaited<NonNullable<ReturnType<typeof import('./reference-files.js').referenceFile>>>;

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: File): Promise<FastifyReply> {
  reply.header('vary', 'accept-encoding').header('cache-control', 'max-age=300').header('etag', file.etag);
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
  reply.type(file.type);
  if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(await file.plain());
  return reply.header('content-encoding', 'gzip').send(file.compressed);
}

function referencePage(baseUrl: string): string {
  const file = (name: string) => `${baseUrl}/docs/api/${name}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Muster API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${file('swagger-ui.css')}">
<link rel="stylesheet" href="${file('reference.css')}">
<script src="${file('swagger-ui-bundle.js')}" defer></script>
<script src="${file('reference.js')}" defer></script>
</head>
<body>
<div id="reference" data-document="${baseUrl}/openapi.json">
<noscript><p class="noscript">This page needs JavaScript. <a href="${baseUrl}/openapi.json">The OpenAPI document</a> says the same.</p></noscript>
</div>
</body>
</html>
`.toString();
}
