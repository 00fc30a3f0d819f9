import type { FastifyReply, FastifyRequest } from 'fastify';
import t from 'tap';
import { hostCookie } from '#src/http/base/cookies.js';

/** Cookies that another host of the same domain cannot plant. */

const secure = hostCookie({ baseUrl: 'https://id.example' }, 'muster-x');
const plain = hostCookie({ baseUrl: 'http://127.0.0.1:8080' }, 'muster-x');
const read = (cookie: string | undefined, of = secure) => of.read({ headers: { cookie } } as FastifyRequest);

t.test('it reads its own cookie among others', async (t) => {
  for (const header of [
    '__Host-muster-x=good',
    'a=b; __Host-muster-x=good; c=d',
    'a=b;__Host-muster-x=good',
    'a=b;\t__Host-muster-x=good;',
    'muster-x=evil; __Host-muster-x=good; __Secure-muster-x=evil',
  ])
    t.equal(read(header), 'good', header);
  t.equal(read('__Host-muster-x=a=b'), 'a=b');
  t.equal(read('muster-x=good', plain), 'good');
  t.equal(read(undefined), undefined);
});

t.test('it reads none that another host can have set', async (t) => {
  const planted = [
    '',
    '__Secure-',
    '__host-',
    '__HOST-',
    'x__Host-',
    '\u00a0__Host-',
    '\u0085__Host-',
    '\u000b__Host-',
  ];
  for (const prefix of planted) {
    t.equal(read(`${prefix}muster-x=evil`), undefined, JSON.stringify(prefix));
    t.equal(read(`a=b; ${prefix}muster-x=evil; c=d`), undefined, JSON.stringify(prefix));
  }
  t.equal(read('a=__Host-muster-x=evil'), undefined);
  t.equal(read('__Host-muster-x'), undefined, 'without a value');
  t.equal(read('__Host-muster-x =evil'), undefined);
});

t.test('two of the same name are none', async (t) => {
  t.equal(read('__Host-muster-x=evil; __Host-muster-x=good'), undefined);
  t.equal(read('muster-x=evil; muster-x=good', plain), undefined);
});

t.test('it is set for this host alone, instead of one of the same name', async (t) => {
  const headers = new Map<string, unknown>([['set-cookie', ['other=1', '__Host-muster-x=old; Path=/']]]);
  const reply = {
    getHeader: (name: string) => headers.get(name),
    removeHeader: (name: string) => headers.delete(name),
    header: (name: string, value: unknown) => headers.set(name, value),
  } as unknown as FastifyReply;
  secure.write(reply, 'new', 60);
  t.strictSame(headers.get('set-cookie'), [
    'other=1',
    '__Host-muster-x=new; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
  ]);
  headers.clear();
  plain.write(reply, 'new', 60);
  t.strictSame(headers.get('set-cookie'), ['muster-x=new; Path=/; HttpOnly; SameSite=Lax; Max-Age=60']);
});

t.test('the time grows linearly with the length of the header', async (t) => {
  const begun = process.cpuUsage();
  for (const part of [' ', '\t', ';', '=', '; ', 'a=b; ', '__Host-muster-x'])
    read(part.repeat(30_000 / part.length));
  const { user } = process.cpuUsage(begun);
  t.ok(user < 500_000, `${user} µs`);
});
