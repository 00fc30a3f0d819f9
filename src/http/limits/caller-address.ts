import type { FastifyRequest } from 'fastify';

/**
 * The address by which requests and attempts are counted. For IPv6 it is the first 64 bits: the holder of one
 * address has all 2^64 of that network.
 */
export function addressOf({ ip }: Pick<FastifyRequest, 'ip'>): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const first = head.split(':').filter(Boolean);
  const last = tail.split(':').filter(Boolean);
  const zeros = ip.includes('::') ? Array(Math.max(0, 8 - first.length - last.length)).fill('0') : [];
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
