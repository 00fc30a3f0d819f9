import t from 'tap';
import { acceptsGzip, isGzipped } from '#src/http/bodies/content-encoding.js';

t.test('the codings of a body', async (t) => {
  const read = (coding: string | undefined) =>
    isGzipped({ headers: coding === undefined ? {} : { 'content-encoding': coding } });
  for (const coding of ['gzip', 'GZIP', ' x-gzip ']) t.equal(read(coding), true, coding);
  for (const coding of [undefined, '', 'identity', 'Identity']) t.equal(read(coding), false, String(coding));
  for (const coding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'gzip, br', 'identity, gzip', 'x'])
    t.throws(
      () => read(coding),
      { name: 'AppError', definition: { id: 'http.encodingUnsupported' } },
      coding,
    );
});

t.test('the codings that a client accepts', async (t) => {
  for (const header of ['gzip', 'br, gzip;q=0.5', 'deflate, GZIP ; Q=0.1', '*', 'br;q=1, *;q=0.1', 'x-gzip'])
    t.equal(acceptsGzip(header), true, header);
  for (const header of [undefined, '', 'identity', 'br', 'gzip;q=0', '*, gzip;q=0', '*;q=0', 'gzip;q=x'])
    t.equal(acceptsGzip(header), false, String(header));
  t.equal(acceptsGzip(['br', 'gzip']), true);
  t.equal(acceptsGzip(`${'br,'.repeat(60)}gzip`), false, 'as many as are read');
});
