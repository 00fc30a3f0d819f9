import type { FastifyInstance } from 'fastify';
import type { Rooms } from '#src/rooms.js';
import { formsOf, type Seen, type Visitor } from './visitor.js';

interface Service {
  readonly app: FastifyInstance;
  readonly container: Pick<Rooms, 'config'>;
}

/** Fills in a form with a file, as {@link Visitor.fill} does those without. A refused form is shown again. */
export async function upload(
  { app, container }: Service,
  { visitor, page, action }: { visitor: Visitor; page: Seen; action: string },
  fields: Readonly<Record<string, string>>,
  file = '',
): Promise<Seen> {
  const { baseUrl } = container.config;
  const form = formsOf(page.text).find((one) => one.action.replace(baseUrl, '') === action);
  if (form === undefined) throw new Error(`No form to ${action} on ${page.url}: ${page.text.slice(0, 600)}`);
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...form.hidden, ...fields })) body.append(name, value);
  body.append('file', new Blob([file]), file === '' ? '' : 'file');
  const sent = new Request('http://localhost/', { method: 'POST', body });
  const answer = await app.inject({
    method: 'POST',
    url: action,
    headers: {
      cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: new URL(baseUrl).origin,
      'content-type': sent.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await sent.arrayBuffer()),
  });
  const location = answer.headers.location?.replace(baseUrl, '');
  if (location !== undefined && /[?&]refused=/.test(location)) return visitor.get(location);
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    text: answer.payload,
    location,
    url: action,
  };
}
