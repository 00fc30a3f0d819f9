import { spawnSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

/** A person as Google's Directory API describes one. */
export type DirectoryPerson = Readonly<Record<string, unknown>> & { readonly id: string };

/** A script for Google Apps Script, and what it finds there. */
export interface AppsScript {
  readonly code: string;
  readonly call: string;
  readonly properties: Readonly<Record<string, string>>;
  /** The pages of the Directory API. */
  readonly pages: readonly (readonly DirectoryPerson[])[];
}

interface Fetch {
  readonly method: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

const { code, call, properties, pages } = workerData as AppsScript;
const log: string[] = [];

/** The services of Google, as far as the guide uses them. They answer at once, as there. */
const services = {
  console: { log: (line: string) => log.push(line) },
  PropertiesService: {
    getScriptProperties: () => ({ getProperty: (name: string) => properties[name] ?? null }),
  },
  AdminDirectory: {
    Users: {
      list({ pageToken = '0' }: { pageToken?: string }) {
        const number = Number(pageToken);
        const more = number + 1 < pages.length && { nextPageToken: String(number + 1) };
        return { users: pages[number], ...more };
      },
    },
  },
  UrlFetchApp: {
    fetch(url: string, { method, contentType, headers, payload }: Fetch) {
      const all = { 'content-type': contentType, ...headers };
      const lines = Object.entries(all).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
      const body = payload === undefined ? [] : ['--data-binary', '@-'];
      const args = ['-sS', '-X', method.toUpperCase(), '-w', '\n%{http_code}', ...lines, ...body, url];
      const { stdout } = spawnSync('curl', args, { encoding: 'utf8', ...(payload && { input: payload }) });
      const end = stdout.lastIndexOf('\n');
      return {
        getResponseCode: () => Number(stdout.slice(end + 1)),
        getContentText: () => stdout.slice(0, end),
      };
    },
  },
};

try {
  runInNewContext(`${code}\n${call}`, services);
} catch (error) {
  log.push(`failed: ${(error as Error).message}`);
}
parentPort?.postMessage(log);
