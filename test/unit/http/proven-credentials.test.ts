import t from 'tap';
import { createProvenCredentials } from '#src/http/limits/proven-credentials.js';

let time = 0;
const open = () => createProvenCredentials({ clock: { now: () => new Date(time) } });

t.test('one credential is one, however it is written', async (t) => {
  const proven = open();
  proven.add('Bearer abc', 'ada');
  for (const same of ['bearer abc', 'BEARER   abc ', 'Bearer abc']) t.equal(proven.find(same), 'ada', same);
  for (const other of ['Bearer ABC', 'Basic abc', 'Bearerabc', '', undefined])
    t.equal(proven.find(other), undefined, other ?? 'none');
  proven.remove('bearer  abc');
  t.equal(proven.find('Bearer abc'), undefined);
});

t.test('no caller fills the memory', async (t) => {
  const proven = open();
  const headers = Array.from({ length: 20_000 }, (_, i) => `Basic ${i}`);
  proven.add('Bearer of grace', 'grace');
  for (const header of headers) proven.add(header, 'ada');
  t.equal(proven.find('Bearer of grace'), 'grace');
  const kept = headers.filter((header) => proven.find(header) === 'ada');
  t.strictSame(kept, headers.slice(-4), 'the latest of each caller');
  proven.add(headers.at(-4), 'ada');
  proven.add('Basic new', 'ada');
  t.equal(proven.find(headers.at(-4)), 'ada', 'a use makes it the latest');
  t.equal(proven.find(headers.at(-3)), undefined);
});

t.test('a credential is known for five minutes after its last use', async (t) => {
  const proven = open();
  proven.add('Bearer abc', 'ada');
  time += 200_000;
  proven.add('Bearer abc', 'ada');
  time += 299_999;
  t.equal(proven.find('Bearer abc'), 'ada');
  time += 1;
  t.equal(proven.find('Bearer abc'), undefined);
});

t.test('the same header again', async (t) => {
  const proven = open();
  const long = `Bearer ${'a'.repeat(2_000)}`;
  for (const header of ['Bearer abc', long]) {
    proven.add(header, 'ada');
    proven.remove(header);
    t.equal(proven.find(header), undefined);
    proven.add(header, 'ada');
    t.equal(proven.find(header), 'ada', 'a header that was forgotten is remembered at once');
  }
  proven.add('Bearer abc', 'ada');
  for (let i = 0; i < 10_000; i++) proven.add(`Basic ${i}`, `other ${i}`);
  t.equal(proven.find('Bearer abc'), undefined, 'others took its place');
  proven.add('Bearer abc', 'ada');
  t.equal(proven.find('Bearer abc'), 'ada');
});
