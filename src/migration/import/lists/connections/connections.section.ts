import type { Static } from 'typebox';
import {
  type Connection,
  type ConnectionSettings,
  mostConnections,
  noClaimMapping,
  requireConnection,
  subjectSpaceOf,
  writeImportedConnections,
} from '#src/connections/registry/index.js';
import { connectionRecord } from '../../../format/connection.record.js';
import { PlanOutdated, RecordFailure } from '../section/record-failure.js';
import { reservedName } from '../section/reservations.js';
import type { DoubtfulValue, ImportSection, Outcome, SectionContext } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import type { RecordItem } from '../shared/record-decisions.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';

type ConnectionsDeps = Pick<
  SectionDeps,
  'caches' | 'config' | 'connections' | 'events' | 'organizations' | 'serviceUsers'
>;

/** An import neither switches a connection on nor off. */
type Content = ReturnType<typeof contentOf>;
type ConnectionItem = RecordItem<Content>;

const read = createRecordReader(connectionRecord);
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `connections`. A connection keeps its identifier, which its links name, and which is part of the address at its provider. It comes without its
 * secret, so a new one is off until an administrator sets the secret and switches it on.
 */
export function connectionsSection(deps: ConnectionsDeps): ImportSection {
  return {
    key: 'connections',
    errorType: 'connection',
    quota: 'connections',
    successKey: 'connectionIds',
    // Service users, which provision the people of a connection, are there by then.
    phase: 6,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      let known: ReadonlyMap<string, Connection> = new Map();
      const { outcomes, created, updated, reservations } = await planRecords<ConnectionItem>(
        records,
        context,
        {
          nameOf: nameBy('connectionId'),
          read(record) {
            const { connectionId: id, connection } = read(record);
            if (!uuid.test(id))
              throw new RecordFailure('VALUE-INVALID', 'connectionId is no UUID in lower case');
            return { id, key: id, content: contentOf(whole(connection), deps.config.baseUrl) };
          },
          async survey(items, findReserved) {
            const [stored, taken, requireKnown] = await Promise.all([
              deps.connections.ofOrganization(orgId),
              deps.events.begunBy(
                'connection.added',
                items.map(({ id }) => id),
              ),
              createNamesCheck(deps, { orgId, findReserved, items }),
            ]);
            known = new Map(stored.map((connection) => [connection.id, connection]));
            let room = mostConnections - stored.length;
            return {
              stored: new Map(stored.map((one) => [one.id, contentOf(one, deps.config.baseUrl)])),
              admit(item) {
                if (taken.has(item.id)) throw new RecordFailure('ID-TAKEN');
                requireKnown(item);
                if (room === 0)
                  throw new RecordFailure('QUOTA-EXCEEDED', `at most ${mostConnections} connections`);
                room -= 1;
              },
              merge(item, before) {
                requireKnown(item);
                if (item.content.protocol !== before.protocol)
                  throw new RecordFailure('OTHER-CONTENT', 'the protocol of a connection never changes');
                if (subjectSpaceOf(item.content.provider) !== subjectSpaceOf(before.provider))
                  throw new RecordFailure('OTHER-CONTENT', 'the issuer of a connection never changes');
                return item.content;
              },
            };
          },
          ownReservations: ({ id }) => [reservedName.connection(orgId, id)],
        },
      );
      return {
        outcomes,
        reservations,
        doubts: toBeCompleted(records, outcomes),
        async write(transaction) {
          const changes = {
            ...{ orgId, editor, now },
            added: created.map(({ id, content }) => ({ id, settings: { ...content, enabled: false } })),
            changed: updated.flatMap(({ item, content }) => {
              const current = known.get(item.id);
              return current === undefined
                ? []
                : [{ current, settings: { ...content, enabled: current.enabled } }];
            }),
          };
          if (!(await writeImportedConnections(deps, changes, transaction))) throw new PlanOutdated();
        },
        async written() {
          await deps.caches.connections.invalidate(orgId);
        },
      };
    },
  };
}

/** The settings of a record with its empty lists, which a record may leave out, and with what earlier exports lack. */
function whole(connection: Static<typeof connectionRecord>['connection']): ConnectionSettings {
  const { provider, linking, mapping } = connection;
  const { when, values, groups } = { ...noClaimMapping, ...mapping };
  const lists =
    connection.protocol === 'oidc' ? { scopes: [], multiFactorAcrs: [] } : { multiFactorAcrs: [] };
  const settings = {
    ...{ domains: [], claims: {}, ...connection },
    mapping: { when, groups, values: values.map(({ from = [], ...one }) => ({ ...one, from })) },
    provider: { ...lists, ...provider },
    linking: { ...linking, byPerson: linking.byPerson ?? false },
  };
  return settings as ConnectionSettings;
}

/** The settings after their checks. @throws AppError of the rules for connections */
function contentOf(settings: ConnectionSettings, thisIssuer: string) {
  const { enabled: _enabled, ...content } = requireConnection(settings, thisIssuer);
  if (content.protocol !== 'saml') return content;
  // The count of what metadata had besides is in no file, so it changes nothing.
  const { unusableCertificates: _count, ...provider } = content.provider;
  return { ...content, provider };
}

/** New connections whose secret is missing, and those that the file has switched on. */
function toBeCompleted(records: readonly unknown[], outcomes: readonly Outcome[]): DoubtfulValue[] {
  return outcomes.flatMap(({ kind }, record) => {
    if (kind !== 'created') return [];
    const { connection } = read(records[record]);
    return [
      ...(needsSecret(connection) ? [{ record, path: 'connection.clientSecret' }] : []),
      ...(connection.enabled ? [{ record, path: 'connection.enabled' }] : []),
    ];
  });
}

/** A key of the connection is made anew when somebody switches it on. */
function needsSecret(settings: Static<typeof connectionRecord>['connection']): boolean {
  return settings.protocol === 'oidc' && settings.provider.authMethod !== 'none';
}

/**
 * Looks up the domains and service users that records name, those of a dry run included.
 * @returns throws RecordFailure `REFERENCE-UNKNOWN` for a record that names others
 */
async function createNamesCheck(
  { organizations, serviceUsers }: Pick<ConnectionsDeps, 'organizations' | 'serviceUsers'>,
  {
    orgId,
    findReserved,
    items,
  }: { orgId: string; findReserved: SectionContext['findReserved']; items: readonly ConnectionItem[] },
): Promise<(item: ConnectionItem) => void> {
  const domains = [...new Set(items.flatMap(({ content }) => content.domains))];
  const users = [...new Set(items.flatMap(({ content }) => content.linking.provisionedBy ?? []))];
  const [organization, reserved, ...found] = await Promise.all([
    organizations.find(orgId),
    findReserved([...domains.map(reservedName.domain), ...users.map((id) => reservedName.userOf(orgId, id))]),
    ...users.map((id) => serviceUsers.find(orgId, id)),
  ]);
  const isDomain = (name: string) =>
    organization?.domains.includes(name) === true || reserved.has(reservedName.domain(name));
  const known = new Set(found.flatMap((user) => user?.id ?? []));
  const isUser = (id: string) => known.has(id) || reserved.has(reservedName.userOf(orgId, id));
  return ({ content: { domains, linking } }) => {
    const domain = domains.find((name) => !isDomain(name));
    if (domain !== undefined)
      throw new RecordFailure('REFERENCE-UNKNOWN', `${domain} is no verified domain of the organization`);
    const { provisionedBy } = linking;
    if (provisionedBy !== undefined && !isUser(provisionedBy))
      throw new RecordFailure('REFERENCE-UNKNOWN', `${provisionedBy} is no service user of the organization`);
  };
}
