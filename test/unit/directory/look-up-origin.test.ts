import t from 'tap';
import { createOriginLookUp } from '#src/clients/applications/look-up-origin.js';

function open() {
  let now = 0;
  const read: string[] = [];
  const registered = new Set(['https://good.example']);
  const hasOrigin = async (origin: string) => {
    read.push(origin);
    return registered.has(origin);
  };
  const advance = (ms: number) => {
    now += ms;
  };
  return { lookUp: createOriginLookUp({ hasOrigin }, () => now), read, registered, advance };
}

t.test('made-up origins cost a bounded number of reads, and delay no registered one', async (t) => {
  const { lookUp, read, registered, advance } = open();
  t.equal(await lookUp('https://good.example'), true);
  for (let number = 0; number < 1_000; number++) await lookUp(`https://made-up-${number}.example`);
  t.equal(read.length, 100);
  t.equal(await lookUp('https://other.example'), undefined, 'unknown, which no cache keeps');
  t.equal(await lookUp('https://good.example'), true);
  registered.clear();
  t.equal(await lookUp('https://good.example'), false, 'read again each time');
  t.equal(await lookUp('https://good.example'), undefined, 'an origin that was removed counts like others');
  advance(1_000);
  t.equal(await lookUp('https://good.example'), false);
});
