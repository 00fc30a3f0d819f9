import t from 'tap';
import type { Json } from '../../../dev/stage/http-client.js';
import { leavesOf, nameOf } from '../../support/migration/leaves.js';
import { openMove } from '../../support/migration/move.js';

const { openInstance, source, wanted } = await openMove(t);

/** What names a record in each list whose records have several fields beside. A name may be taken once. */
const namings: Record<string, (record: Json, name: string) => void> = {
  humanUsers: (record, name) => {
    record.userId = record.user.userName = name;
    if (record.user.scim.externalId !== undefined) record.user.scim.externalId = name;
    for (const one of record.user.scim.clientExternalIds ?? []) if (one.value !== undefined) one.value = name;
    // The organization lets nobody else have the number.
    for (const one of record.user.scim.extensions ?? []) if (one.name === 'number') one.value = name;
  },
  machineUsers: (record, name) => {
    record.userId = record.user.userName = name;
  },
  groups: (record, name) => {
    record.groupId = record.group.displayName = name;
  },
  oidcApps: (record, name) => {
    record.appId = name;
  },
  apiApps: (record, name) => {
    record.appId = name;
  },
  projects: (record, name) => {
    record.projectId = name;
  },
  projectRoles: (record, name) => {
    record.roleKey = name;
  },
};

/** Fields that a verification does not compare, and why. */
const uncompared: Record<string, string> = {
  'humanUsers user.passwordChangeRequired': 'the person ends it by choosing a password',
  'humanUsers user.otpRecoveryCodes[]': 'a file could otherwise test guesses',
  'humanUsers user.phone.isPhoneVerified': 'the person may have verified it since',
};

/** Fields of which no other value fits the rest of the record. */
const fitting = [
  'oidcApps app.type',
  'projectRoles projectId',
  'humanUsers user.scim.extensions[].schema',
  'humanUsers user.scim.extensions[].name',
  ...['kty', 'alg'].map((name) => `machineUsers user.clientKeys[].jwk.${name}`),
  ...['kty', 'crv', 'x', 'y', 'alg'].map((name) => `apiApps app.clientKeys[].jwk.${name}`),
];

/** Other values of fields that do not take every text. */
const otherValues: Record<string, string> = {
  client_secret_basic: 'client_secret_post',
  private_key_jwt: 'client_secret_basic',
  opaque: 'jwt',
  jwt: 'opaque',
  names: 'identifiers',
  all: 'assigned',
  identifiers: 'names',
  EdDSA: 'ES256',
  refresh_token: 'authorization_code',
  id_token: 'id_token token',
  ORG_USER_VIEWER: 'ORG_USER_MANAGER',
  '#0a6b4f': '#0a6b40',
  'nl-NL': 'nl-BE',
  'Europe/Amsterdam': 'Europe/Paris',
  '0000-12-31': '0000-12-30',
  AQAB: 'AQAD',
  web: 'native',
  string: 'reference',
  integer: 'decimal',
  roles: 'everybody',
};

/** Another value in the place of a leaf. */
function another(name: string, value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value))
    return name.endsWith('audienceOrgIds') ? ['o2'] : ['urn:ietf:params:oauth:grant-type:token-exchange'];
  const text = String(value);
  if (name.endsWith('signInPolicy.secondFactors[]')) return 'mailCode';
  if (name.endsWith('signInPolicy.firstFactors[]')) return 'mailLink';
  if (name.endsWith('.acr')) return value === 'phr' ? '2' : 'phr';
  const other = otherValues[text];
  if (other !== undefined) return other;
  if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    return new Date(Date.parse(text) + (/created$/.test(name) ? -1 : 1)).toISOString();
  }
  if (/^2\d{3}-\d\d-01$/.test(text)) return text.replace(/01$/, '02');
  // Texts of one length, such as digests and secrets in base32.
  if (/^[A-Za-z0-9_-]{32,43}$/.test(text)) return `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  return `${text}x`;
}

t.test('a verification compares every field of every list', async (t) => {
  const target = await openInstance();
  const data = await source.post('export', { ...wanted, response_output: true });
  const [first] = data.orgs;
  const leaves = new Map<string, { list: string; name: string }>();
  const other = structuredClone(data);
  /** Adds the same record to both files, and changes one leaf of it in the other file. */
  const addPair = (list: string, record: object, index: number) => {
    const leaf = leavesOf(record)[index];
    if (leaf === undefined) return false;
    const key = `${list}-${leaves.size}`;
    const [same, changed] = [structuredClone(record), structuredClone(record)];
    for (const one of [same, changed]) namings[list]?.(one, key);
    const name = nameOf(leaf.path);
    // A later date of the file is no difference. So the service gets the later date.
    const edited = name.endsWith('lastModified') ? same : changed;
    const inside = leaf.path.slice(0, -1).reduce<Json>((part, step) => part[step], edited);
    const last = leaf.path.at(-1) ?? '';
    // A record with another identifier is another record.
    if (leaf.path.length === 1 && inside[last] === key) return true;
    inside[last] = another(name, leaf.value);
    if (list === 'org') {
      data.orgs.push({ orgId: key, org: same });
      other.orgs.push({ orgId: key, org: changed });
    } else {
      first[list].push(same);
      other.orgs[0][list].push(changed);
    }
    leaves.set(key, { list, name: `${list} ${name}` });
    return true;
  };
  for (const list of ['org', ...Object.keys(namings)]) {
    const records = list === 'org' ? [first.org] : [...first[list]];
    for (const record of records) for (let index = 0; addPair(list, record, index); index++);
  }
  const imported = await target.post('import', { timeout: '5m', data_orgsv1: data });
  t.equal(imported.errors, undefined, JSON.stringify(imported.errors));
  t.match(await target.post('verify', { timeout: '5m', data_orgsv1: data }), { isSame: true });

  const found = await target.post('verify', { timeout: '5m', data_orgsv1: other });
  const lines = (await target.lines(`/admin/v1/jobs/${found.jobId}/differences`)) as Json[];
  const kinds = new Map<string, Set<string>>();
  for (const [key, { name }] of leaves) {
    const line = lines.find(
      ({ orgId, identifiers }) => orgId === key || Object.values(identifiers ?? {}).includes(key),
    );
    kinds.set(name, (kinds.get(name) ?? new Set()).add(String(line?.['kind'] ?? 'same')));
  }
  const only = (kind: string) =>
    [...kinds].filter(([, found]) => !found.has('different') && found.has(kind)).map(([name]) => name);
  t.ok(kinds.size > 130, `${kinds.size} fields`);
  t.same(only('same').sort(), Object.keys(uncompared).sort());
  t.same(only('refused').sort(), [...fitting].sort());
});
