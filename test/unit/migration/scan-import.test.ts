import t from 'tap';
import { ScanError, type ScannedOrganization } from '#src/migration/import/receive/scan/scan-handler.js';
import { ImportScanner, type ScanRoot } from '#src/migration/import/receive/scan/scan-import.js';

interface Found {
  readonly properties: Record<string, unknown>;
  readonly data: string[];
  /** `section:text` of each record. */
  readonly records: string[];
  readonly unknown: string[];
  readonly ignored: string[];
  /** The line of each record. */
  readonly lines: number[];
  readonly organizations: ScannedOrganization[];
}

/** Scans a text in pieces of a size, or cut at one place. */
function scan(text: string | Buffer, { size = 65_536, cut = 0, root = 'body' as ScanRoot } = {}): Found {
  const bytes = Buffer.from(text);
  const found: Found = {
    properties: {},
    data: [],
    records: [],
    unknown: [],
    ignored: [],
    lines: [],
    organizations: [],
  };
  const scanner = new ImportScanner(root, {
    property: (key, value) => {
      found.properties[key] = value;
    },
    data: (key) => found.data.push(key),
    record: (section, { start, end, line }) => {
      found.lines.push(line ?? 0);
      found.records.push(`${section}:${bytes.toString('utf8', start, end)}`);
    },
    unknownList: (key) => found.unknown.push(key),
    unknownValue: (path) => found.ignored.push(path),
    organization: (organization) => found.organizations.push(organization),
  });
  if (cut > 0) {
    scanner.push(bytes.subarray(0, cut));
    scanner.push(bytes.subarray(cut));
  } else {
    for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
  }
  scanner.end();
  return found;
}

function isRefused(text: string | Buffer, size?: number): boolean {
  try {
    scan(text, size === undefined ? {} : { size });
    return false;
  } catch (error) {
    if (error instanceof ScanError) return true;
    throw error;
  }
}

const whole = `\ufeff {
  "data_orgs": { "ignored": [{"orgs": "]}"}, null, -1.5e3], "orgs": [
    { "human_users": [ {"userId":"a","x":"}]\\\\"}, {"userId":"b\\"ö","deep":[[{}],[]]}, 17, "text,]", null ], "orgId": "one", "org": {"name":"Öne"} },
    {"orgId":"two","privacyPolicy":{"a":[1,2]},"humanusers":[{"userId":"c"}],"actions":[],"userMetadata":[],"humanUsers":null,"domains":[{"domainName":"x"}]},
    {}
  ] },
  "dry_run": true,
  "timeout" : "1h30m0s"
}
`;

const expected: Found = {
  properties: { dryRun: true, timeout: '1h30m0s' },
  data: ['dataOrgs'],
  records: [
    'humanUsers:{"userId":"a","x":"}]\\\\"}',
    'humanUsers:{"userId":"b\\"ö","deep":[[{}],[]]}',
    'humanUsers:17',
    'humanUsers:"text,]"',
    'humanUsers:null',
    'domains:{"domainName":"x"}',
  ],
  unknown: ['humanusers'],
  ignored: ['ignored', 'orgs[].privacyPolicy'],
  lines: [3, 3, 3, 3, 3, 4],
  organizations: [
    { line: 3, position: 80, orgId: 'one', org: { name: 'Öne' } },
    { line: 4, position: 231, orgId: 'two' },
    { line: 5, position: 390 },
  ],
};

t.test('borders are found wherever the text is cut', async (t) => {
  const length = Buffer.byteLength(whole);
  t.same(scan(whole), expected);
  for (const size of [1, 2, 3, 7]) t.same(scan(whole, { size }), expected, `pieces of ${size}`);
  for (let cut = 1; cut < length; cut++) {
    const found = scan(whole, { cut });
    if (JSON.stringify(found) !== JSON.stringify(expected)) t.same(found, expected, `cut at ${cut}`);
  }
});

t.test('a text that ends too early is none, wherever it ends', async (t) => {
  const bytes = Buffer.from(whole.trimEnd());
  for (let end = 0; end < bytes.length; end++) {
    t.ok(isRefused(bytes.subarray(0, end)), `${end} bytes`);
  }
});

t.test('malformed text outside of records', async (t) => {
  const users = (text: string) =>
    `{"timeout":"1s","dataOrgs":{"orgs":[{"orgId":"a","humanUsers":[${text}]}]}}`;
  for (const text of [
    '[]',
    '"text"',
    'null',
    '{} {}',
    '{"a":1,}',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '{"timeout":}',
    '{"timeout":tru}',
    '{"timeout":"a" "b":1}',
    '{"timeout":"1s","timeout":"1s"}',
    '{"data_orgs":null,"dataOrgs":null}',
    '{"dataOrgs":[]}',
    '{"dataOrgs":{"orgs":{}}}',
    '{"dataOrgs":{"orgs":[1]}}',
    '{"dataOrgs":{"orgs":[{"orgId":"a","org_id":"b"}]}}',
    '{"dataOrgs":{"orgs":[{"orgId":"a","humanUsers":{}}]}}',
    '{"dataOrgs":{"orgs":[{"org":{"a":1,"a":2}}]}}',
    `{"${'k'.repeat(300)}":1}`,
    `{"timeout":"${'s'.repeat(2_000)}"}`,
    ...['other', 'constructor', '__proto__'].map((key) => `{"${key}":"${'x'.repeat(300_000)}"}`),
    `{${Array.from({ length: 33 }, (_, index) => `"key${index}":1`)}}`,
    `{"dataOrgs":{"orgs":[{"org":{"name":"${'n'.repeat(70_000)}"}}]}}`,
    users('{},'),
    users('{} {}'),
    users(',{}'),
    users('{"a":[1}'),
    users('{"a":1]'),
    users('{"a":[1}, {"b":2}]'),
    users('{"a":"x}'),
    '\u0000{}',
    Buffer.from('{"timeout":"1s\xff"}', 'latin1'),
    Buffer.from('{"t\xff":"1s"}', 'latin1'),
    Buffer.from('{"timeout":"1s"}', 'utf16le'),
  ]) {
    t.ok(isRefused(text), JSON.stringify(String(text)).slice(0, 60));
    t.ok(isRefused(text, 1));
  }
});

t.test('a malformed record keeps its borders', async (t) => {
  const records = ['{"a":tru}', '{"a":1,"a":2}', '{"a" 1}', '{a}', '[1,,2]', 'abc', '01', '{"a":"\n"}'];
  const { records: found } = scan(`{"dataOrgs":{"orgs":[{"humanUsers":[${records.join(' , ')}]}]}}`);
  t.same(
    found,
    records.map((record) => `humanUsers:${record}`),
  );
});

t.test('a record may be nested as deeply as it likes: it is the reader who refuses it', async (t) => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const { records } = scan(`{"dataOrgs":{"orgs":[{"humanUsers":[${deep},{"a":1}]}]}}`, { size: 1_000 });
  t.same(records, [`humanUsers:${deep}`, 'humanUsers:{"a":1}']);
});

t.test('the object of a bucket is a body or its list alone', async (t) => {
  const list = '"orgs":[{"orgId":"a","humanUsers":[{"b":1}]}]';
  for (const text of [`{${list}}`, `{"dataOrgsv1":{${list}},"timeout":"1s","more":[]}`]) {
    const { records, organizations, properties } = scan(text, { root: 'object' });
    t.same(records, ['humanUsers:{"b":1}']);
    t.match(organizations, [{ orgId: 'a', line: 1, position: text.indexOf('{"orgId"') }]);
    t.same(properties, {});
  }
});
