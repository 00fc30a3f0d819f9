import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { stylesheet } from './stylesheet.js';

/** The path changes with the content, so that browsers may cache it for ever. */
export const stylesheetPath = `/console/assets/${hash('sha256', stylesheet, 'hex').slice(0, 16)}.css`;

/** The icon of the service, for tabs of browsers. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3047c8"/><path d="M8 23V9h3.6l4.4 7.4L20.4 9H24v14h-3.3v-8.6L16.9 21h-1.8l-3.8-6.6V23z" fill="#fff"/></svg>';

/** Browsers ask for this path on their own. */
export const iconPath = '/favicon.ico';

/** The script of all pages: htmx, as its package has it. The path changes with its version. */
export const scriptPath = '/console/assets/htmx-4.0.1.js';

let script: Promise<string> | undefined;

/** The text of the script. It is read when the first browser asks for it. */
export function readScript(): Promise<string> {
  script ??= readFile(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js'), 'utf8');
  return script;
}
