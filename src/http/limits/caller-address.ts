import type { FastifyRequest } from 'fastify';
import { requestNote } from '../base/request-note.js';

const found = requestNote<string>('callerAddress');

/**
 * The address by which requests and attempts are counted. For IPv6 it is the first 64 bits: the holder of one
 * address has all 2^64 of that network.
 */
export function addressOf(request: FastifyRequest): string {
  const known = found.get(request);
  if (known !== undefined) return known;
  const address = networkOf(request.ip);
  found.set(request, address);
  return address;
}

function networkOf(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = ip.includes('::') ? Array(Math.max(0, 8 - first.length - last.length)).fill('0') : [];
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
