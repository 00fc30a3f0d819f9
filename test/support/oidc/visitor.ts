import type { FastifyInstance, InjectOptions } from 'fastify';
import type { Rooms } from '#src/rooms.js';

/** A page or a redirect, as a browser sees it. */
export interface Seen {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The address of the redirect, without the base address of the service. */
  readonly location: string | undefined;
  /** The requested address. */
  readonly url: string;
}

/** A person with a browser. The browser keeps cookies, reads forms and posts them. JavaScript is off. */
export interface Visitor {
  readonly cookies: Map<string, string>;
  get(url: string): Promise<Seen>;
  /**
   * Posts fields as a form, regardless of the page that they come from. If the form is refused, the person sees its page again, to which the
   * answer redirects.
   */
  post(url: string, fields: Record<string, string> | [string, string][]): Promise<Seen>;
  /** Fills in the form of a page whose action is this one, and posts it. Hidden fields stay unchanged. */
  fill(page: Seen, fields: Record<string, string>, action?: string): Promise<Seen>;
  /** Follows redirects within the service. */
  follow(seen: Seen): Promise<Seen>;
}

export interface VisitorOptions {
  readonly language?: string;
  readonly address?: string;
  readonly userAgent?: string;
  /** The header `Host`, which anybody can choose. */
  readonly host?: string;
}

export function visit(app: FastifyInstance, container: Rooms, options: VisitorOptions = {}): Visitor {
  const { baseUrl } = container.config;
  const cookies = new Map<string, string>();
  const local = (url: string) => (url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url);

  async function send(request: InjectOptions & { url: string }): Promise<Seen> {
    const answer = await app.inject({
      ...request,
      remoteAddress: options.address ?? '192.0.2.1',
      headers: {
        ...request.headers,
        'accept-language': options.language ?? 'en',
        ...(options.userAgent !== undefined && { 'user-agent': options.userAgent }),
        ...(options.host !== undefined && { host: options.host }),
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      cookies.set(name, value);
    }
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
      text: answer.payload,
      location: location === undefined ? undefined : local(location),
      url: request.url,
    };
  }

  const visitor: Visitor = {
    cookies,
    get: (url) => send({ method: 'GET', url: local(url) }),
    async post(url, fields) {
      const answer = await send({
        method: 'POST',
        url: local(url),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(baseUrl).origin },
        payload: new URLSearchParams(fields).toString(),
      });
      const isRefused = answer.status === 303 && /[?&]refused=/.test(answer.location ?? '');
      return isRefused ? visitor.get(answer.location ?? '') : answer;
    },
    fill(page, fields, action) {
      const form = formsOf(page.text).find(
        (candidate) => action === undefined || local(candidate.action) === action,
      );
      if (form === undefined)
        throw new Error(`No form to ${action ?? 'fill in'} on ${page.url}: ${page.text.slice(0, 600)}`);
      const unchanged = form.fields.filter(([name]) => !Object.hasOwn(fields, name));
      return visitor.post(form.action, [...unchanged, ...Object.entries(fields)]);
    },
    async follow(seen) {
      let current = seen;
      for (let i = 0; i < 5 && current.location?.startsWith('/'); i++)
        current = await visitor.get(current.location);
      return current;
    },
  };
  return visitor;
}

/** A form of a page. `fields` are its hidden fields, of which several can have one name. */
interface SeenForm {
  readonly action: string;
  readonly hidden: Record<string, string>;
  readonly fields: [name: string, value: string][];
}

/** The forms of a page with their hidden fields. */
export function formsOf(text: string): SeenForm[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action = '', body = '']) => {
      const found = body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
      const fields = [...found].map(([, name = '', value = '']): [string, string] => [
        name,
        decodeText(value),
      ]);
      return { action: decodeText(action), hidden: Object.fromEntries(fields), fields };
    },
  );
}

function decodeText(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
