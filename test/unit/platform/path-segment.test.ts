import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { argumentSegment } from '#src/cli/base/argument-segment.js';
import { requireObjectName, requirePlainPath } from '#src/platform/blobs/transfer/object-names.js';
import { isDotSegment, noDotSegment, pathSegment } from '#src/platform/path-segment.js';
import { StartError } from '#src/platform/start-error.js';
import { repository } from '../../../dev/repository.js';

/** What the URL Standard calls a single-dot or a double-dot segment. */
const dotSegments = ['.', '..', '%2e', '%2E', '.%2e', '.%2E', '%2e.', '%2E.', '%2e%2e', '%2E%2e', '%2e%2E'];
const others = [
  '',
  'a',
  '...',
  '.a',
  'a.',
  'a..',
  '..a',
  '%2e%2e%2e',
  '%252e',
  '%2f',
  '..%2f',
  '. ',
  '.\n',
  '\\..',
  '。',
];

t.test('the rule is that of browsers', async (t) => {
  const pattern = new RegExp(`^${noDotSegment}.*$`, 'su');
  for (const text of dotSegments) {
    t.equal(isDotSegment(text), true, text);
    t.equal(pattern.test(text), false, text);
    t.not(new URL(`http://localhost/a/${text}/b`).pathname, `/a/${text}/b`, `${text} in a browser`);
  }
  for (const text of others) {
    t.equal(isDotSegment(text), false, JSON.stringify(text));
    t.equal(pattern.test(text), true, JSON.stringify(text));
  }
});

t.test('a segment of a path means what it was made of, or there is none', async (t) => {
  for (const text of ['.', '..']) {
    t.throws(() => pathSegment(text), {
      name: 'AppError',
      definition: { id: 'path.dotSegment', kind: 'invalid' },
    });
    t.ok(refusal(() => argumentSegment(text)) instanceof StartError);
  }
  for (const text of [...dotSegments, ...others, '/', 'a/../b', '?#', 'ä'].filter(
    (one) => !/^\.{1,2}$/.test(one),
  )) {
    const { pathname } = new URL(`http://localhost/a/${pathSegment(text)}/b`);
    t.equal(decodeURIComponent(pathname.slice('/a/'.length, -'/b'.length)), text, JSON.stringify(text));
    t.equal(argumentSegment(text), pathSegment(text));
  }
});

t.test('the name of an object in a bucket has no such part', async (t) => {
  for (const text of dotSegments) {
    t.throws(
      () => requireObjectName(text),
      { name: 'AppError', definition: { id: 'bucket.targetInvalid' } },
      text,
    );
    for (const path of [text, `a/${text}`, `${text}/a`, `a/${text}/b`])
      t.throws(
        () => requirePlainPath(path),
        { name: 'AppError', definition: { id: 'bucket.targetInvalid' } },
        path,
      );
  }
  for (const path of ['a/...', '.a/b', 'a..b/c.', 'a/%252e/b'])
    t.equal(requirePlainPath(path), undefined, path);
});

t.test('identifiers come into paths by these helpers alone', async (t) => {
  const source = join(repository, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const encoding = files.filter((file) =>
    /\/\$\{encodeURIComponent\(/.test(readFileSync(join(source, file), 'utf8')),
  );
  // SCIM shows users and groups that an earlier version stored. Their identifier is the last segment, where dots lead to no other
  // object that a client could change.
  // A problem points to a place in a body (RFC 6901), which is no path.
  t.same(encoding.sort(), [
    'http/base/problem.ts',
    'scim/events/event-claims.ts',
    'scim/http/base-url.ts',
    'scim/resources/render-group.ts',
    'scim/resources/render-user.ts',
  ]);
});

/** What a function throws. */
function refusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

t.test('half of a surrogate pair is no fault', async (t) => {
  t.equal(pathSegment('a\ud800'), 'a%EF%BF%BD');
  t.equal(pathSegment('\udc00'), '%EF%BF%BD');
  t.equal(pathSegment('😀'), '%F0%9F%98%80');
});
