import type { Editor } from '#src/audit/event.js';

/** The input of the job that removes an organization. */
interface RemovalRequest {
  readonly orgId: string;
  readonly name: string;
  /** Who asked for the removal. */
  readonly editor: Editor;
}

/** The input of the job as bytes. */
export function serializeRemoval(request: RemovalRequest): Buffer {
  return Buffer.from(JSON.stringify(request));
}

/** Reads what {@link serializeRemoval} wrote. */
export function readRemoval(body: Buffer): RemovalRequest {
  return JSON.parse(body.toString()) as RemovalRequest;
}
