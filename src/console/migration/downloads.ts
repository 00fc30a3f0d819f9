import type { Sent } from '../http/respond.js';
import { segmentOf } from '../http/segments.js';
import type { ConsoleVisit } from '../http/visit.js';
import { param } from '../http/visit.js';

/** Every error of a job, one JSON object in each line. */
export function downloadErrors(visit: ConsoleVisit): Promise<Sent> {
  return download(visit, { part: 'errors', name: 'errors.ndjson' });
}

/** Everything that a verification found to differ, one JSON object in each line. */
export function downloadDifferences(visit: ConsoleVisit): Promise<Sent> {
  return download(visit, { part: 'differences', name: 'differences.ndjson' });
}

/** What an export wrote. The API records the download. */
export function downloadExport(visit: ConsoleVisit): Promise<Sent> {
  return download(visit, { part: 'result', name: 'export.json' });
}

/** Passes a response of the API on to the browser while it arrives. */
async function download(visit: ConsoleVisit, { part, name }: { part: string; name: string }): Promise<Sent> {
  const id = param(visit, 'id');
  const { headers, body } = await visit.api.open(`/admin/v1/jobs/${segmentOf(id)}/${part}`);
  const { reply } = visit;
  const length = headers['content-length'];
  reply
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', `attachment; filename="${id.replace(/[^\w-]/g, '')}-${name}"`)
    .type(part !== 'result' ? 'application/x-ndjson' : 'application/json; charset=utf-8');
  if (length !== undefined) reply.header('content-length', String(length));
  reply.raw.once('close', () => body.destroy());
  return { sent: reply.send(body) };
}
