/** A statement that each connection prepares once under its name. All results are binary. */
export interface Statement {
  name: string;
  text: string;
}

/** Text parameters are strings, documents are Buffers, and null is SQL's NULL. */
export type Parameter = Buffer | string | bigint | null;

const EXECUTE_AND_SYNC = Buffer.from([0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4]);
/** Parameters above this size are written without copying them into the message. */
const COPY_LIMIT = 32 * 1024;

/** The first message of a connection. */
export function startupMessage(user: string, database: string): Buffer {
  const text = `user\0${user}\0database\0${database}\0application_name\0documentdb-gateway\0client_encoding\0UTF8\0\0`;
  const message = Buffer.alloc(8 + Buffer.byteLength(text));
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(196608, 4);
  message.write(text, 8);
  return message;
}

/** A simple query message. */
export function queryMessage(sql: string): Buffer {
  const size = Buffer.byteLength(sql);
  const message = Buffer.allocUnsafe(size + 6);
  message[0] = 0x51;
  message.writeInt32BE(size + 5, 1);
  message.write(sql, 5);
  message[size + 5] = 0;
  return message;
}

/** The message that asks the server, on another connection, to cancel the statement of process `pid`. */
export function cancelMessage(pid: number, secret: Buffer): Buffer {
  const message = Buffer.alloc(12 + secret.length);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(80877102, 4);
  message.writeInt32BE(pid, 8);
  secret.copy(message, 12);
  return message;
}

/** The message that prepares a statement. */
export function parseMessage(statement: Statement): Buffer {
  const text = `${statement.name}\0${statement.text}\0`;
  const size = Buffer.byteLength(text);
  const message = Buffer.alloc(size + 7);
  message[0] = 0x50;
  message.writeInt32BE(size + 6, 1);
  message.write(text, 5);
  return message;
}

/** Bind, Execute and Sync for a prepared statement. Only large parameters get a buffer of their own. */
export function executeMessages(statement: Statement, parameters: readonly Parameter[]): Buffer[] {
  const sizes = parameters.map((value) =>
    value === null
      ? 0
      : typeof value === 'string'
        ? Buffer.byteLength(value)
        : typeof value === 'bigint'
          ? 8
          : value.length,
  );
  const head = 5 + 1 + statement.name.length + 1 + 4 + 2;
  const total = sizes.reduce((sum, size) => sum + size + 4, head) + 4;
  const copied = sizes.reduce((sum, size) => (size > COPY_LIMIT ? sum - size : sum), total);
  const bytes = Buffer.allocUnsafe(copied + EXECUTE_AND_SYNC.length);
  bytes[0] = 0x42;
  bytes.writeInt32BE(total - 1, 1);
  bytes[5] = 0;
  let at = 6 + bytes.write(statement.name, 6, 'latin1');
  bytes[at] = 0;
  // One format code (binary) for all parameters, then the number of parameters.
  bytes.writeInt32BE(0x00010001, at + 1);
  at = bytes.writeInt16BE(parameters.length, at + 5);
  const out: Buffer[] = [];
  let from = 0;
  for (const [index, value] of parameters.entries()) {
    const size = sizes[index] ?? 0;
    at = bytes.writeInt32BE(value === null ? -1 : size, at);
    if (typeof value === 'string') {
      at += bytes.write(value, at);
    } else if (typeof value === 'bigint') {
      at = bytes.writeBigInt64BE(value, at);
    } else if (value !== null && size > COPY_LIMIT) {
      out.push(bytes.subarray(from, at), value);
      from = at;
    } else if (value !== null) {
      at += value.copy(bytes, at);
    }
  }
  at = bytes.writeInt32BE(0x00010001, at);
  EXECUTE_AND_SYNC.copy(bytes, at);
  out.push(bytes.subarray(from));
  return out;
}

/** The columns of a DataRow message, as views of the message. */
export function readRow(message: Buffer): (Buffer | null)[] {
  const columns: (Buffer | null)[] = [];
  const count = message.readInt16BE(5);
  let at = 7;
  for (let index = 0; index < count; index += 1) {
    const size = message.readInt32BE(at);
    at += 4;
    if (size < 0) {
      columns.push(null);
    } else {
      columns.push(message.subarray(at, at + size));
      at += size;
    }
  }
  return columns;
}

/** The fields of an ErrorResponse by their one-letter code. */
export function readFields(message: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 5; at < message.length && message[at] !== 0; ) {
    const end = message.indexOf(0, at + 1);
    fields.set(String.fromCharCode(message[at] ?? 0), message.toString('utf8', at + 1, end));
    at = end + 1;
  }
  return fields;
}
