import { request as send } from 'node:https';

/** A page of a provider. */
interface ProviderPage {
  readonly text: string;
  /** The action of its first form. '' without one. */
  readonly action: string;
}

/** What a person does on a page: sends its form, or opens a link. */
type Step = { readonly action: string; readonly fields?: Readonly<Record<string, string>> };

/** A browser without scripts on the pages of a provider that others wrote. */
interface Walker {
  /** Returns the status of an address. 0 if nobody answers. */
  get(address: string): Promise<number>;
  /**
   * Opens an address, and goes on from page to page.
   * @param act what the person does on a page. Undefined: the person does not know
   * @returns the address to which the browser leaves the provider
   */
  walk(address: string, act: (page: ProviderPage) => Step | undefined): Promise<string>;
}

const mostSteps = 12;

/** @param of `origin`: that of the provider. `ca`: its certificate in the PEM format */
export function createWalker({ origin, ca }: { origin: string; ca: string }): Walker {
  return {
    get: async (address) => {
      const seen = await ask(new URL(address), { ca, cookies: new Map(), body: undefined }).catch(
        () => undefined,
      );
      return seen?.status ?? 0;
    },
    async walk(address, act) {
      const cookies = new Map<string, string>();
      let at = new URL(address);
      let body: string | undefined;
      for (let step = 0; step < mostSteps; step++) {
        if (at.origin !== origin) return at.href;
        const seen = await ask(at, { ca, cookies, body });
        body = undefined;
        if (seen.location !== undefined) {
          at = new URL(seen.location, at);
          continue;
        }
        const [, action = ''] = /<form[^>]*action="([^"]*)"/.exec(seen.text) ?? [];
        const next = act({ text: seen.text, action: action.replaceAll('&amp;', '&') });
        if (next === undefined) throw new Error(`No way on at ${at.href}: ${seen.status} ${seen.text}`);
        at = new URL(next.action, at);
        body = next.fields && new URLSearchParams(next.fields).toString();
      }
      throw new Error(`More than ${mostSteps} pages of the provider`);
    },
  };
}

interface Answered {
  readonly status: number;
  readonly location: string | undefined;
  readonly text: string;
}

function ask(
  url: URL,
  { ca, cookies, body }: { ca: string; cookies: Map<string, string>; body: string | undefined },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      accept: 'text/html',
      ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const asked = send(url, { ca, headers, agent: false, method: body === undefined ? 'GET' : 'POST' });
    asked.once('error', reject).once('response', async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
      for (const line of response.headers['set-cookie'] ?? []) {
        const [pair = ''] = line.split(';');
        cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      resolve({
        status: response.statusCode ?? 0,
        location: response.headers.location,
        text: Buffer.concat(chunks).toString(),
      });
    });
    asked.end(body);
  });
}
