import Bowser from 'bowser';
import type { FastifyRequest } from 'fastify';
import type { Device } from '#src/sessions/session.js';

/** Longest header that is read, in characters. Those of browsers have less than 300. */
const maxHeader = 500;

/**
 * The browser and the operating system that a request names, and its address. The names come from a header that the caller wrote, so
 * they are only short words.
 */
export function deviceOf({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): Device {
  const header = (headers['user-agent'] ?? '').slice(0, maxHeader);
  const parsed = header === '' ? undefined : Bowser.parse(header);
  const browser = wordOf(parsed?.browser.name);
  const system = wordOf(parsed?.os.name);
  return {
    address: ip,
    ...(browser !== undefined && { browser }),
    ...(system !== undefined && { system }),
  };
}

function wordOf(name: string | undefined): string | undefined {
  return name !== undefined && /^[A-Za-z0-9][\w .+-]{0,39}$/.test(name) ? name : undefined;
}
