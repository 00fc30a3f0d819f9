import { hash } from 'node:crypto';

/** A page of the service that the person sees. */
export interface Page {
  readonly kind: 'page';
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly url: URL;
}

/** The browser was redirected out of the service. This is the data that the client there receives. */
export interface Arrival {
  readonly kind: 'arrival';
  /** The address with its fragment. The client's server does not see the fragment. */
  readonly url: URL;
  /** The address as the client's server receives it. */
  readonly request: Request;
  /** The parameters in the query, the fragment or the form. */
  readonly parameters: URLSearchParams;
}

export type Seen = Page | Arrival;

interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const maxRedirects = 10;

/**
 * A person's browser over real connections. It keeps cookies as browsers do, follows redirects, and fills in forms. It
 * runs no JavaScript except `document.forms[0].submit()`, and only if the page's policy allows it.
 */
export class UserAgent {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  readonly #language: string;

  /** @param baseUrl the address of the service. All other addresses belong to clients and are never called. */
  constructor(baseUrl: string, language = 'en') {
    this.#origin = new URL(baseUrl).origin;
    this.#language = language;
  }

  /** The cookies for the service, by name. */
  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  /** Opens an address, as a person who follows a link. */
  open(address: string | URL): Promise<Seen> {
    return this.#go(new URL(address), undefined);
  }

  /** Posts a form of another site to the service. SameSite=Lax cookies are not sent (RFC 6265bis 5.8.3). */
  openByPost(address: string | URL, fields: Record<string, string>): Promise<Seen> {
    return this.#go(new URL(address), new URLSearchParams(fields), { fromElsewhere: true });
  }

  /**
   * Fills in the first form of a page and sends it. Hidden fields stay unchanged.
   * @param formAction of the button that sends it, if it has one
   */
  async submit(seen: Seen, fields: Record<string, string> = {}, formAction?: string): Promise<Seen> {
    const page = requirePage(seen);
    const form = formOf(page);
    if (form === undefined) throw new Error(`No form on ${page.url}: ${page.text.slice(0, 500)}`);
    const target = new URL(formAction ?? form.action, page.url);
    if (!allowsForm(page, target)) throw new Error(`The policy of ${page.url} forbids a form to ${target}`);
    return this.#go(target, new URLSearchParams({ ...form.fields, ...fields }));
  }

  /** Signs in at the login page. */
  signIn(seen: Seen, person: { loginName: string; password: string }): Promise<Seen> {
    if (!isLoginPage(seen)) throw new Error(`Not the login page but ${describe(seen)}`);
    return this.submit(seen, person);
  }

  async #go(url: URL, form: URLSearchParams | undefined, options: { fromElsewhere?: boolean } = {}) {
    let at = url;
    let body = form;
    let { fromElsewhere = false } = options;
    for (let count = 0; count <= maxRedirects; count++) {
      if (at.origin !== this.#origin) return arrivalAt(at, body);
      const answer = await this.#send(at, body, fromElsewhere);
      const location = answer.headers.get('location');
      if (answer.status < 300 || answer.status > 399 || location === null) {
        const text = await answer.text();
        return this.#runScript({
          kind: 'page',
          status: answer.status,
          headers: answer.headers,
          text,
          url: at,
        });
      }
      await answer.arrayBuffer();
      at = new URL(location, at);
      // A 303 leads to a GET. A top-level GET carries Lax cookies.
      body = undefined;
      fromElsewhere = false;
    }
    throw new Error(`More than ${maxRedirects} redirects from ${url}`);
  }

  async #send(url: URL, body: URLSearchParams | undefined, fromElsewhere: boolean): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'accept-language': this.#language,
        ...(cookie !== '' && !(fromElsewhere && body !== undefined) && { cookie }),
        ...(body && { origin: fromElsewhere ? 'https://client.example' : this.#origin }),
      },
      ...(body && { body }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line, url);
    return answer;
  }

  #keep(line: string, url: URL): void {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const isSecure = attributes.some((attribute) => attribute.toLowerCase() === 'secure');
    if (isSecure && url.protocol !== 'https:') return;
    if (attributes.some((attribute) => /^max-age=(0|-\d+)$/i.test(attribute))) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }

  async #runScript(page: Page): Promise<Seen> {
    const script = /<script>([^<]*)<\/script>/.exec(page.text)?.[1];
    if (script !== 'document.forms[0].submit()') return page;
    const allowed = `'sha256-${hash('sha256', script, 'base64')}'`;
    return directive(page, 'script-src').includes(allowed) ? this.submit(page) : page;
  }
}

/** @throws Error if the browser is not on a page of the service */
export function requirePage(seen: Seen): Page {
  if (seen.kind !== 'page') throw new Error(`Not a page but ${describe(seen)}`);
  return seen;
}

/** @throws Error if the browser has not left the service */
export function requireArrival(seen: Seen): Arrival {
  if (seen.kind !== 'arrival') throw new Error(`Not at the client but at ${describe(seen)}`);
  return seen;
}

export function isLoginPage(seen: Seen): seen is Page {
  return (
    seen.kind === 'page' && seen.url.pathname.endsWith('/login') && seen.text.includes('name="password"')
  );
}

function describe(seen: Seen): string {
  return seen.kind === 'page' ? `${seen.status} ${seen.url}: ${seen.text.slice(0, 500)}` : String(seen.url);
}

function arrivalAt(url: URL, body: URLSearchParams | undefined): Arrival {
  const parameters = body ?? new URLSearchParams(url.hash.slice(1) || url.search);
  const withoutHash = new URL(url);
  withoutHash.hash = '';
  const request = new Request(withoutHash, { method: body ? 'POST' : 'GET', ...(body && { body }) });
  return { kind: 'arrival', url, request, parameters };
}

function formOf({ text }: Page): Form | undefined {
  const found = /<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(text);
  if (found === null) return undefined;
  const [, action = '', content = ''] = found;
  const hidden = content.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  const fields = [...hidden].map(([, name = '', value = '']) => [name, unescapeText(value)]);
  return { action: unescapeText(action), fields: Object.fromEntries(fields) };
}

/** Whether the page's policy allows a form to go to this address (CSP 3 section 6.4.1). */
function allowsForm(page: Page, target: URL): boolean {
  const sources = directive(page, 'form-action');
  const isOwn = target.origin === page.url.origin;
  const isNamed = [target.origin, target.protocol].some((source) => sources.includes(source));
  return (isOwn && sources.includes("'self'")) || isNamed || sources.length === 0;
}

function directive({ headers }: Page, name: string): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const found = policy.split(';').map((part) => part.trim().split(/\s+/));
  return found.find(([key]) => key === name)?.slice(1) ?? [];
}

function unescapeText(text: string): string {
  const names: Record<string, string> = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
  return text.replace(/&(quot|#39|lt|gt|amp);/g, (_, name: string) => names[name] ?? '');
}

/** Every address that a page leads to or asks for. A page may show an address and still lead nowhere else. */
export function addressesOf({ text }: Page): string[] {
  return [...text.matchAll(/\s(?:href|src|action|formaction|content)="([^"]*)"/g)].map(
    ([, value = '']) => value,
  );
}
