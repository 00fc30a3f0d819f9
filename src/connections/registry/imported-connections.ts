import { isDeepStrictEqual } from 'node:util';
import { keptChanges } from '#src/audit/changes.js';
import type { Editor } from '#src/audit/event.js';
import type { EventsStore } from '#src/audit/events.store.js';
import { newEvents } from '#src/audit/new-event.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { addedPayload } from './add-connection.js';
import { connectionSettingNames } from './change-connection.js';
import type { Connection, ConnectionSettings } from './connection.js';
import type { ConnectionsStore } from './connections.store.js';

/** What an import adds and changes. */
export interface ImportedConnections {
  readonly orgId: string;
  readonly editor: Editor;
  readonly now: Date;
  readonly added: readonly { readonly id: string; readonly settings: ConnectionSettings }[];
  readonly changed: readonly { readonly current: Connection; readonly settings: ConnectionSettings }[];
}

/**
 * Writes connections of an import, with their events. No file has a secret, so a new connection is switched off: whoever switches it on sets its
 * secret first. A change keeps the secret, and whether the connection is on.
 * @returns whether every connection that changes is still the one that was read
 */
export async function writeImportedConnections(
  { connections, events }: { connections: ConnectionsStore; events: Pick<EventsStore, 'append'> },
  { orgId, editor, now, added, changed }: ImportedConnections,
  transaction: Transaction,
): Promise<boolean> {
  for (const { id, settings } of added) {
    const dates = { created: now, lastModified: now, signInsSince: now };
    const connection: Connection = { ...settings, id, orgId, enabled: false, version: 1, ...dates };
    await connections.insert(orgId, connection, transaction);
    const happened = [['connection.added', addedPayload(connection)]] as const;
    await events.append(newEvents('connection', connection, { happened, editor }), transaction);
  }
  for (const { current, settings } of changed) {
    const { enabled, version } = current;
    const next = { ...current, ...settings, enabled, version: version + 1, lastModified: now } as Connection;
    const change = { connection: next, expectedVersion: version };
    if (!(await connections.replace(orgId, change, transaction))) return false;
    const attributes = connectionSettingNames.filter((name) => !isDeepStrictEqual(next[name], current[name]));
    const payload = { name: next.name, attributes, ...keptChanges(current, next, connectionSettingNames) };
    const happened = [['connection.changed', payload]] as const;
    await events.append(newEvents('connection', next, { happened, editor }), transaction);
  }
  return true;
}
