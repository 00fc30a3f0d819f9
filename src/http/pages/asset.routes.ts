import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { publicDocument } from '../responses/public-document.js';
import { copyPath, copyScript } from './copy.js';
import { localTimesPath, localTimesScript } from './moment.js';
import { passkeyPath, passkeyScript } from './passkey-script.js';
import { stylesheet, stylesheetPath } from './stylesheet.js';

/** The icon of pages whose organization has none: a key. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3047c8"/>' +
  '<g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"><circle cx="12" cy="19.5" r="4.6"/>' +
  '<path d="m15.4 16.2 7.6-7.700m-3.6 3.7 3.3 3.3"/></g></svg>';

export const iconPath = `/login/assets/${hash('sha256', icon, 'hex').slice(0, 16)}.svg`;

const assets = [
  {
    path: stylesheetPath,
    type: 'text/css; charset=utf-8',
    document: publicDocument(stylesheet),
    config: { compressible: true, page: true },
  },
  {
    path: localTimesPath,
    type: 'text/javascript; charset=utf-8',
    document: publicDocument(localTimesScript),
    config: { compressible: true, page: true },
  },
  {
    path: copyPath,
    type: 'text/javascript; charset=utf-8',
    document: publicDocument(copyScript),
    config: { compressible: true, page: true },
  },
  {
    path: passkeyPath,
    type: 'text/javascript; charset=utf-8',
    document: publicDocument(passkeyScript),
    config: { compressible: true, page: true },
  },
  { path: iconPath, type: 'image/svg+xml', document: publicDocument(icon), config: { page: true } },
] as const;

/** Registers the files that pages need. Their paths change with their content, so that browsers may cache them for ever. */
export function assetRoutes(app: FastifyInstance): void {
  for (const { path, type, document, config } of assets) {
    app.get(path, { config, schema: { hide: true } }, async (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .type(type)
        .send(document.plain),
    );
  }
}
