import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { httpErrors } from '../base/errors.js';

/** Node.js keeps the first of several such headers. A proxy in front may keep another. */
const singleHeaders = new Set(['host', 'authorization', 'content-type']);

/** Node.js hides the headers that follow. */
const maxHeaders = 1_000;

/** The name or the address of a host with a port (RFC 9112 section 3.2), without what no name in DNS has. */
const validHost = /^(?=.{1,260}$)(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?$/;

/** The absolute form of a request target (RFC 9112 section 3.2.2). */
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is;

/** The path and the query of a request target in absolute form. Undefined for one in another form. */
export function pathOfAbsoluteForm(target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const [, , rest] = absoluteForm.exec(target) ?? [];
  return rest === undefined || rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * Refuses requests that a proxy in front may read otherwise than Node.js does, and closes their connection (RFC 9112 sections 3.2 and
 * 6.1). Such a request has one of these faults:
 *
 * - no header `Host`, two of them, or one that is no name of a host
 * - two headers `Authorization` or two `Content-Type`
 * - an absolute address whose host is not that of the header
 * - a transfer coding that is not exactly `chunked`
 *
 * Node.js itself refuses two lengths, and a length beside a transfer coding.
 */
export function refuseAmbiguous(app: FastifyInstance): void {
  app.server.maxHeadersCount = maxHeaders;
  const faultOf = createFaultCheck();
  app.addHook('onRequest', ({ raw, originalUrl }, reply, done) => {
    const detail = faultOf(raw, originalUrl);
    if (detail === undefined) return done();
    reply.header('connection', 'close');
    const error = hasAllHeaders(raw) ? httpErrors.requestMalformed : httpErrors.headersTooLarge;
    return done(new AppError(error, { detail }));
  });
}

/** `rawHeaders` has a name and a value for each header. */
function hasAllHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length < 2 * maxHeaders;
}

/** Makes the function that says what is wrong with the head of a request, or nothing. */
function createFaultCheck(): (request: IncomingMessage, target: string) => string | undefined {
  // Nearly all requests name the same host.
  let latestHost = '';
  const isHost = (host: string) => {
    if (host === latestHost) return true;
    if (!validHost.test(host)) return false;
    latestHost = host;
    return true;
  };
  return (request, target) => faultOf(request, { target, isHost });
}

function faultOf(
  request: IncomingMessage,
  { target, isHost }: { readonly target: string; readonly isHost: (host: string) => boolean },
): string | undefined {
  const { rawHeaders, headers, httpVersion } = request;
  if (!hasAllHeaders(request)) return `The request has ${maxHeaders} headers or more`;
  const twice = repeatedHeader(rawHeaders);
  if (twice !== undefined) return `The header ${twice} comes more than once`;
  const { host, 'transfer-encoding': coding } = headers;
  if (host === undefined && httpVersion !== '1.0') return 'The header host is absent';
  if (host !== undefined && !isHost(host)) return 'The header host has no valid value';
  if (coding !== undefined && (httpVersion === '1.0' || coding.trim().toLowerCase() !== 'chunked'))
    return 'The header transfer-encoding has another value than chunked';
  if (target.startsWith('/')) return undefined;
  const [, named] = absoluteForm.exec(target) ?? [];
  if (named === undefined) return 'The target of the request is no path and no address';
  return named.toLowerCase() === host?.toLowerCase()
    ? undefined
    : 'The address has another host than the header host';
}

function repeatedHeader(rawHeaders: readonly string[]): string | undefined {
  const lengths = { 4: 0, 12: 0, 13: 0 };
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const { length } = rawHeaders[at] ?? '';
    if (length === 4 || length === 12 || length === 13) lengths[length] += 1;
  }
  // Names of another length, and the only one of a length, need no copy in lower case.
  if (lengths[4] < 2 && lengths[12] < 2 && lengths[13] < 2) return undefined;
  const found = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (found.has(name)) return name;
    found.add(name);
  }
  return undefined;
}
