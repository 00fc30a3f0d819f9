import t from 'tap';
import { boundedClaim, mappedMemberships, mappedText } from '#src/connections/mapping/claim-values.js';
import { noClaimMapping } from '#src/connections/registry/mapping.js';

const reads = (values: (typeof noClaimMapping)['values'], claims = {}) => ({
  claims,
  mapping: { ...noClaimMapping, values },
});

t.test('a row renames, takes the first of several, has a constant, and lowers the case', async (t) => {
  const row = { to: 'department', from: ['dept', 'department'], constant: 'Sales', lowerCase: true } as const;
  const read = (claims: Record<string, unknown>) => mappedText(reads([row]), 'department', claims);
  t.equal(read({ dept: 'IT', department: 'HR' }), 'it');
  t.equal(read({ dept: ' ', department: 'HR' }), 'hr');
  t.equal(read({ dept: ['', 'First', 'Second'] }), 'first', 'the first text of a list');
  t.equal(read({ dept: 7, department: { a: 'b' } }), 'sales');
  t.equal(read({ dept: 'x'.repeat(501) }), 'sales', 'a value that is too long is none');
  t.equal(mappedText(reads([], { department: 'dept' }), 'department', { dept: 'IT' }), 'IT', 'a plain name');
  t.equal(mappedText(reads([], {}), 'department', { department: 'IT' }), undefined);
  const own = { to: 'title', from: ['constructor', '__proto__'] } as const;
  t.equal(mappedText(reads([own]), 'title', {}), undefined, 'only own claims');
});

t.test('groups come from texts and lists, and what the provider left out is not guessed', async (t) => {
  const groups = [
    { claim: 'groups', value: 'a', groupId: 'A' },
    { claim: 'groups', value: 'b', groupId: 'B' },
    { claim: 'roles', value: 'boss', groupId: 'B' },
    { claim: 'roles', value: 'boss', groupId: 'C' },
  ];
  const of = (claims: Record<string, unknown>) => {
    const { joins, leaves, leftOut } = mappedMemberships({ groups }, claims);
    return [[...joins].sort().join(''), [...leaves].sort().join(''), leftOut];
  };
  t.strictSame(of({ groups: ['a', 'x'] }), ['A', 'BC', []]);
  t.strictSame(of({ groups: 'b', roles: ['boss'] }), ['BC', 'A', []]);
  t.strictSame(of({}), ['', 'ABC', []], 'who has no claim is in no group');
  t.strictSame(of({ groups: ['A'] }), ['', 'ABC', []], 'identifiers are compared exactly');
  const overage = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://x' } } };
  t.strictSame(of({ ...overage, roles: ['boss'] }), ['BC', '', ['groups']], 'A is unknown');
  t.strictSame(of(overage), ['', 'C', ['groups']]);
  t.strictSame(of({ ...overage, groups: ['a'] }), ['A', 'BC', []], 'a claim that is there counts');
  const many = Array.from({ length: 5_000 }, (_, index) => `g${index}`);
  t.strictSame(of({ groups: [...many, 'a'] }), ['', 'ABC', []], 'the list is bounded');
});

t.test('a claim is kept within bounds', async (t) => {
  t.equal(boundedClaim('x'.repeat(500))?.toString().length, 500);
  t.equal(boundedClaim('x'.repeat(501)), undefined);
  t.strictSame(boundedClaim(['a', 1, 'x'.repeat(501), null]), ['a']);
  t.strictSame(boundedClaim({ a: 'b', c: { d: 'e' } }), { a: 'b' });
  t.equal(boundedClaim(null), undefined);
  t.equal(boundedClaim(true), true);
});
