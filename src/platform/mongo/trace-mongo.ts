import type { MongoClient } from 'mongodb';
import type { OpenSpan, Tracing } from '../tracing.js';

/**
 * Makes a span for each command of the client, with its name and its collection, and without its content. The
 * client must have the option `monitorCommands`.
 */
export function traceMongo(client: MongoClient, tracing: Tracing): void {
  const open = new Map<number, OpenSpan>();
  const end = (failed: boolean) => (event: { requestId: number }) => {
    open.get(event.requestId)?.end({ failed });
    open.delete(event.requestId);
  };
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    // A command outside of a request or a job gets no span.
    if (tracing.current() === undefined) return;
    const collection: unknown = command[commandName] ?? undefined;
    const attributes = {
      'db.system.name': 'mongodb',
      'db.operation.name': commandName,
      ...(typeof collection === 'string' && { 'db.collection.name': collection }),
    };
    const name = typeof collection === 'string' ? `${commandName} ${collection}` : commandName;
    open.set(requestId, tracing.open(name, { kind: 'client', attributes }));
  });
  client.on('commandSucceeded', end(false));
  client.on('commandFailed', end(true));
}
