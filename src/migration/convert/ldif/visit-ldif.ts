import type { RowSource } from '../csv/each-row.js';
import type { SourceGroup, SourceVisitor } from '../mapping/people-format.js';
import { ConversionError } from '../reading/read-fields.js';
import { SourceRecord } from '../reading/source-record.js';
import { type Entry, eachEntry } from './each-entry.js';
import { dnKey, uidKey } from './entry-keys.js';
import { readAttributes } from './read-attributes.js';

/** Object classes of entries that are people, unless one of the others says that they are not. */
const ofPeople = [
  ...['person', 'organizationalperson', 'inetorgperson', 'posixaccount', 'account'],
  ...['shadowaccount', 'user'],
];
const ofOthers = new Set(['computer', 'contact', 'device', 'msds-groupmanagedserviceaccount', 'pwdpolicy']);
const ofGroups = ['groupofnames', 'groupofuniquenames', 'groupofmembers', 'posixgroup', 'group'];
/** They hold other entries, and nothing is lost with them. */
const containers = new Set([
  ...['organizationalunit', 'organization', 'dcobject', 'domain', 'domaindns', 'container', 'builtindomain'],
  ...['locality', 'country', 'top', 'extensibleobject', 'nscontainer'],
]);
const streamed = new Set(['member', 'uniquemember', 'memberuid']);

/** Visits the people and groups of an LDIF file. Other entries are lost, by their object class. */
export async function visitLdif(
  { path, signal }: Omit<RowSource, 'columns'>,
  visitor: SourceVisitor,
): Promise<void> {
  await eachEntry(
    { path, signal },
    {
      streamed,
      value(group, name, shown) {
        const key = name === 'memberuid' ? uidKey(shown) : dnKey(shown);
        visitor.member({ group, key, shown, path: name });
      },
      entry(entry) {
        const kind = kindOf(entry);
        if (kind === 'group') {
          visitor.group(() => readGroup(entry, visitor), entry.line);
        } else if (kind === 'person') {
          const uids = textsOf(entry.fields['uid']).map(uidKey);
          visitor.person(() => entry.fields, entry.line, [dnKey(entry.dn), ...uids]);
          const groups = textsOf(entry.fields['memberof']).map(dnKey);
          if (groups.length > 0) visitor.claim(groups, 'memberof', entry.line);
          visitor.lost(entry.streamed, entry.line);
        } else visitor.lost(kind, entry.line);
      },
      fault(message, line) {
        visitor.person(() => {
          throw new ConversionError('brokenEntry', { detail: message });
        }, line);
      },
    },
  );
}

/** Returns what an entry is, or the paths that are lost with it. */
function kindOf({ fields, streamed }: Entry): 'person' | 'group' | string[] {
  const classes = textsOf(fields['objectclass']).map((one) => one.trim().toLowerCase());
  if (classes.length === 0) {
    if (streamed.size > 0) return 'group';
    const isPerson = ['uid', 'samaccountname', 'userprincipalname', 'mail'].some((name) => name in fields);
    return isPerson ? 'person' : ['(entry without objectClass)'];
  }
  const foreign = classes.find((one) => ofOthers.has(one));
  if (foreign !== undefined) return [`(entry) ${foreign}`];
  if (ofGroups.some((one) => classes.includes(one))) return 'group';
  if (ofPeople.some((one) => classes.includes(one))) return 'person';
  const others = classes.filter((one) => !containers.has(one));
  return others.slice(-1).map((one) => `(entry) ${one}`);
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

/** @throws ConversionError */
function readGroup({ number, line, dn, fields }: Entry, visitor: SourceVisitor): SourceGroup {
  const source = new SourceRecord(fields);
  const { one, id, dates } = readAttributes(source);
  const name = one('cn');
  if (name === undefined) throw new ConversionError('groupUnnamed', { name: 'cn' });
  const login = source.look('samaccountname');
  if (login === name) source.take('samaccountname');
  for (const path of ['dn', 'objectclass']) source.take(path);
  const group = { number, id: id(), name, longName: dn, key: dnKey(dn), dates: dates() };
  visitor.lost(source.lost(), line);
  return group;
}
