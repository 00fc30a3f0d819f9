import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ListPermits, ListWork } from '../list/list-permits.js';
import { cursorPageBytes } from '../list/page-body.js';
import type { MaybeRead, Slices } from '../resources/long-list.js';
import { listClient } from './list-client.js';
import { scimContextOf } from './scim-context.js';
import { sendJson } from './send-json.js';

/**
 * Sends a resource. If it has a long list, such as the members of a group, the list is read while it is sent.
 * @param render returns the JSON. It asks for slices if it comes in parts
 * @returns what the handler returns: see {@link sendJson}
 * @throws AppError `scim.tooManyLists`, but not in the response to a change
 */
export function sendResource(
  { request, reply, permits }: { request: FastifyRequest; reply: FastifyReply; permits: ListPermits },
  render: (slices: () => Slices) => MaybeRead<string | AsyncGenerator<string>>,
): string | FastifyReply | Promise<string | FastifyReply> {
  let work: ListWork | undefined;
  const json = render(() => {
    work = permits.open({
      orgId: scimContextOf(request).organization.id,
      noun: 'group with members',
      count: 1,
      most: cursorPageBytes,
      client: listClient(reply),
      isOfChange: request.method !== 'GET' && request.method !== 'HEAD',
    });
    return work;
  });
  if (typeof json === 'string') return sendJson(reply, json);
  return Promise.resolve(json).then(async (read) => {
    await work?.endReading({ bytes: 0, isStream: true });
    return sendJson(reply, read);
  });
}
