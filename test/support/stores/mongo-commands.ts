import { createRequire } from 'node:module';

/** A command as the driver sends it, such as `{ find: 'users', filter }`. */
export type MongoCommand = Readonly<Record<string, unknown>>;

type Send = (this: unknown, ns: unknown, command: MongoCommand, ...rest: unknown[]) => unknown;

interface DriverConnection {
  readonly Connection: { readonly prototype: { command: Send } };
}

/** The names of the command by which the driver greets a server. */
const greetings = ['hello', 'ismaster'];

/** Records every command that this process sends to MongoDB, until it is stopped. */
export function watchCommands(): { readonly commands: MongoCommand[]; stop(): void } {
  const { Connection }: DriverConnection = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js');
  const { command: send } = Connection.prototype;
  const commands: MongoCommand[] = [];
  Connection.prototype.command = function (ns, command, ...rest) {
    // The driver greets a server by itself, at a new connection and every ten seconds.
    if (!greetings.some((name) => Object.hasOwn(command, name))) commands.push(command);
    return send.call(this, ns, command, ...rest);
  };
  return {
    commands,
    stop() {
      Connection.prototype.command = send;
    },
  };
}

/** What `work` sends to MongoDB, by name and collection, such as `find users` or `commitTransaction`. */
export async function namesOfCommands(work: () => Promise<unknown>): Promise<string[]> {
  const watch = watchCommands();
  try {
    await work();
  } finally {
    watch.stop();
  }
  return watch.commands.map((command) => {
    const [[name = '', collection] = []] = Object.entries(command);
    return typeof collection === 'string' ? `${name} ${collection}` : name;
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** One read or write of a command: the filter, or the inserted document. */
export interface ReadOrWrite {
  readonly name: string;
  readonly collection: string;
  readonly where: Fields;
  /** The requested fields. If absent, all fields. */
  readonly projection?: Fields;
}

/** Every read and write of a command. Empty if the command works on no collection. */
export function readsAndWrites(command: MongoCommand): ReadOrWrite[] {
  const [name = '', collection] = Object.entries(command)[0] ?? [];
  if (typeof collection !== 'string') return [];
  const projection = command['projection'] as Fields | undefined;
  return (wheresOf[name]?.(command) ?? []).map((where = {}) => ({
    name,
    collection,
    where,
    ...(projection && { projection }),
  }));
}

const wheresOf: Record<string, (command: MongoCommand) => (Fields | undefined)[]> = {
  find: ({ filter }) => [filter as Fields | undefined],
  findAndModify: ({ query }) => [query as Fields | undefined],
  aggregate: ({ pipeline }) => [listed(pipeline)[0]?.['$match'] as Fields | undefined],
  update: ({ updates }) => listed(updates).map(({ q }) => q as Fields),
  delete: ({ deletes }) => listed(deletes).map(({ q }) => q as Fields),
  insert: ({ documents }) => listed(documents),
};

/** The driver sends lists of documents as a sequence. */
function listed(value: unknown): Fields[] {
  const { documents = value } = Object(value) as { documents?: unknown };
  return Array.isArray(documents) ? documents : [];
}
