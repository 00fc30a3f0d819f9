import t from 'tap';
import { parseDuration } from '#src/migration/duration.js';
import { readEnvelope } from '#src/migration/import/scan/read-envelope.js';
import { parseRecord } from '#src/migration/import/scan/read-records.js';
import { Utf8Check } from '#src/migration/import/scan/utf8-check.js';

t.test('durations are those of Go', async (t) => {
  const good: [string, number][] = [
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m0s', 5_400_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1500ms', 1_500],
    ['2us', 0.002],
    ['72h', 72 * 3_600_000],
  ];
  for (const [text, ms] of good) t.equal(parseDuration(text), ms, text);
  for (const text of [
    '',
    '30',
    's',
    '-5s',
    '0s',
    '5 m',
    '5m ',
    '1d',
    '1h-5m',
    '73h',
    '1e3s',
    `${'1'.repeat(70)}s`,
  ]) {
    t.equal(parseDuration(text), undefined, JSON.stringify(text));
  }
});

t.test('records are read by themselves', async (t) => {
  const read = (text: string) => {
    const found = parseRecord(Buffer.from(text));
    return 'value' in found ? found.value : `${found.failure.code} ${found.id}`;
  };
  t.same(read('{"user_id":"a","user":{"user_name":"b_c","x":[{"is_email_verified":true}]}}'), {
    userId: 'a',
    user: { userName: 'b_c', x: [{ isEmailVerified: true }] },
  });
  t.same(read('{"a":"\\"{[:,","b":{"a":1},"c":[{"a":1},{"a":2}]}'), {
    a: '"{[:,',
    b: { a: 1 },
    c: [{ a: 1 }, { a: 2 }],
  });
  t.equal(read('{"userId":"a1","b":tru}'), 'RECORD-MALFORMED a1');
  t.equal(read('{"user_id": "a1","b":1,"b":1}'), 'RECORD-DUPLICATE-KEY a1');
  t.equal(read('{"a":{"b":1,"\\u0062":2}}'), 'RECORD-DUPLICATE-KEY ');
  t.equal(read('{"userId":"a1","user_id":"a2"}'), 'RECORD-DUPLICATE-KEY a1');
  t.equal(read(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`), 'RECORD-TOO-DEEP ');
  t.equal(read('{"a":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}') !== 'RECORD-TOO-DEEP ', true);
  t.same(read('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}'));
});

t.test('UTF-8 is checked across pieces', async (t) => {
  const check = (bytes: Buffer, size: number) => {
    const utf8 = new Utf8Check();
    for (let at = 0; at < bytes.length; at += size) {
      if (!utf8.push(bytes.subarray(at, at + size))) return false;
    }
    return utf8.end();
  };
  const text = Buffer.from('aö€😀b');
  for (const size of [1, 2, 3, 4, 5, 100]) {
    t.equal(check(text, size), true);
    t.equal(check(text.subarray(0, -2), size), false, 'ends within a character');
    t.equal(check(Buffer.from([0x61, 0xff, 0x62]), size), false);
    t.equal(check(Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]), size), false);
    t.equal(check(Buffer.from([0xe2, 0x82, 0x61]), size), false);
    t.equal(check(Buffer.from('ä', 'latin1'), size), false);
  }
});

t.test('an envelope has no other properties, also not those of every object', async (t) => {
  const source = { bucket: 'bucket', path: 'path', serviceaccountJson: 'e30=' };
  for (const key of ['other', 'constructor', 'toString', '__proto__']) {
    const properties = new Map<string, unknown>([
      ['timeout', '5m'],
      [key, source],
    ]);
    const message = `There is no property "${key}"`;
    t.throws(() => readEnvelope({ properties, dataKeys: [], form: undefined }), { message });
  }
});
