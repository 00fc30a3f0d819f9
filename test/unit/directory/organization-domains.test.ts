import t from 'tap';
import { domainsOf, findDomain, withDomain, withoutDomain } from '#src/organizations/organization-domains.js';
import { AppError } from '#src/platform/errors.js';

const lists = { domains: ['a.example', 'b.example'], unverifiedDomains: ['c.example'] };
const domain = (domainName: string, isVerified: boolean, isPrimary = false) => ({
  domainName,
  isVerified,
  isPrimary,
});

t.test('the primary domain comes first, then the verified ones', async (t) => {
  t.same(domainsOf(lists), [
    domain('a.example', true, true),
    domain('b.example', true),
    domain('c.example', false),
  ]);
  t.same(findDomain(lists, 'b.example'), domain('b.example', true));
  t.equal(findDomain(lists, 'x.example'), undefined);
});

t.test('a domain is added, verified, made primary, or doubted', async (t) => {
  const after = (...given: Parameters<typeof domain>) => withDomain(lists, domain(...given));
  t.same(after('x.example', false), { ...lists, unverifiedDomains: ['c.example', 'x.example'] });
  t.same(after('x.example', true), { ...lists, domains: ['a.example', 'b.example', 'x.example'] });
  t.same(after('c.example', true, true), {
    domains: ['c.example', 'a.example', 'b.example'],
    unverifiedDomains: [],
  });
  t.same(after('b.example', true, true).domains, ['b.example', 'a.example']);
  t.same(after('a.example', true, true), lists);
  t.same(after('a.example', true), lists, 'it passes that on only to another');
  t.same(after('a.example', false), {
    domains: ['b.example'],
    unverifiedDomains: ['c.example', 'a.example'],
  });
  t.throws(() => after('c.example', false, true), AppError);
});

t.test('a domain is removed', async (t) => {
  t.same(withoutDomain(lists, 'a.example').domains, ['b.example']);
  t.same(withoutDomain(lists, 'c.example').unverifiedDomains, []);
  t.same(withoutDomain(lists, 'x.example'), lists);
});
