import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { statusOfKind } from '#src/platform/error-status.js';
import { httpErrors } from './base/errors.js';
import { errorIdHeader, problemOf } from './base/problem.js';

const errors: Readonly<Record<string, typeof httpErrors.requestMalformed>> = {
  HPE_HEADER_OVERFLOW: httpErrors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.requestTooSlow,
};

/**
 * Answers bytes that Node.js cannot read as a request, and closes the connection. There is no request, so no hook runs, and the
 * answer is a problem document at every address.
 */
export function answerUnreadable(fault: Error & { readonly code?: string }, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || socket.destroyed) return;
  const error = errors[fault.code ?? ''] ?? httpErrors.requestMalformed;
  const status = statusOfKind(error.kind);
  const body = JSON.stringify(problemOf(error, error.message));
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `${errorIdHeader}: ${error.id}`,
    'Connection: close',
  ];
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  socket.destroy(fault);
}
