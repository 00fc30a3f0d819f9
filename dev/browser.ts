import { access } from 'node:fs/promises';
import { installed, isDebianWithRoot } from './services/debian.js';

/** Flags that keep Chromium quiet and within the machine. */
export const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of Chromium, from Debian's package, which is installed where it is missing and we may. */
export async function findBrowser(
  log: (message: string) => void = console.error,
): Promise<string | undefined> {
  const usual = '/usr/bin/chromium';
  const isThere = await access(usual).then(
    () => true,
    () => false,
  );
  if (isThere) return usual;
  return (await isDebianWithRoot()) ? installed('chromium', { package: 'chromium', log }) : undefined;
}
