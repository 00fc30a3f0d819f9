import t from 'tap';
import {
  boundedClaim,
  leavesOutGroups,
  mappedMemberships,
  mappedText,
  mappedTexts,
} from '#src/connections/mapping/claim-values.js';
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

t.test('a list has every text of the first claim with one', async (t) => {
  const row = { to: 'roles', from: ['jobs', 'roles'], lowerCase: true } as const;
  const read = (claims: Record<string, unknown>, more = {}) =>
    mappedTexts(reads([{ ...row, ...more }]), 'roles', claims);
  t.strictSame(read({ jobs: ['Dev', 'dev', ' Ops ', 7, ''], roles: ['x'] }), ['dev', 'ops']);
  t.strictSame(read({ jobs: [], roles: 'Boss' }), ['boss'], 'one text is a list, too');
  t.strictSame(read({ jobs: [] }), [], 'an empty list takes the values away');
  t.equal(read({}), undefined, 'no claim says nothing');
  t.strictSame(read({ jobs: [] }, { constant: 'Staff' }), ['staff']);
  t.equal(read({ jobs: Array(1_001).fill('x') }), undefined, 'a part of a list is not taken for the whole');
  t.strictSame(mappedTexts(reads([], { roles: 'jobs' }), 'roles', { jobs: ['A'] }), ['A'], 'a plain name');
  const elsewhere = { _claim_names: { jobs: 'src1' } };
  t.equal(read({ ...elsewhere, roles: [] }, { constant: 'Staff' }), undefined, 'a claim that was left out');
  t.equal(read({ ...elsewhere, roles: [] }), undefined, 'what it would say is not guessed');
  t.equal(read({ ...elsewhere, roles: ['x'] }), undefined, 'the first one would have counted');
  t.strictSame(read({ jobs: ['Dev'], _claim_names: { roles: 'src1' } }), ['dev'], 'a later one would not');
  for (const jobs of [[7], [{ value: 'Dev' }], ['x'.repeat(501)]])
    t.equal(read({ jobs }), undefined, 'a list of which nothing can be read says nothing');
  t.equal(mappedTexts(reads([]), 'roles', { roles: ['A'] }), undefined);
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
  t.strictSame(
    of({ groups: [...many, 'a'] }),
    ['', 'C', ['groups']],
    'of a list that is too long, the rest is unknown',
  );
  t.strictSame(of({ groups: ['a', ...many] }), ['A', 'C', ['groups']], 'what was read of it counts');
  t.strictSame(of({ groups: boundedClaim([...many, 'a']) }), ['', 'C', ['groups']], 'also as it is kept');
  const unreadable = [7, ...Array.from({ length: 1_499 }, (_, index) => `g${index}`)];
  t.strictSame(
    of({ groups: unreadable }),
    of({ groups: boundedClaim(unreadable) }),
    'with one that is no text',
  );
});

t.test('the ways in which Microsoft Entra leaves out groups are known', async (t) => {
  const ofSaml = 'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups';
  const of = (claim: string, claims: Record<string, unknown>) => {
    const groups = [{ claim, value: 'a', groupId: 'A' }];
    const { leaves, leftOut } = mappedMemberships({ groups }, claims);
    return [[...leaves], leftOut, leavesOutGroups(claims)];
  };
  t.strictSame(of('groups', { hasgroups: true }), [[], ['groups'], true]);
  const link = { 'http://schemas.microsoft.com/claims/groups.link': 'https://graph.example/x' };
  t.strictSame(of(ofSaml, link), [[], [ofSaml], true], 'by SAML');
  t.strictSame(of(ofSaml, { ...link, [ofSaml]: ['b'] }), [['A'], [], false], 'groups that are there count');
  t.strictSame(of('roles', { hasgroups: true }), [['A'], [], true], 'another claim is not left out');
  t.strictSame(of('groups', {}), [['A'], [], false]);
});

t.test('a claim is kept within bounds', async (t) => {
  t.equal(boundedClaim('x'.repeat(500))?.toString().length, 500);
  t.equal(boundedClaim('x'.repeat(501)), undefined);
  t.strictSame(boundedClaim(['a', 1, 'x'.repeat(501), null]), ['a']);
  t.strictSame([boundedClaim([]), boundedClaim([7])], [[], undefined], 'only an empty list stays empty');
  t.strictSame(boundedClaim({ a: 'b', c: { d: 'e' } }), { a: 'b' });
  t.equal(boundedClaim(null), undefined);
  t.equal(boundedClaim(true), true);
});
