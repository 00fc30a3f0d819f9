import { type Element, number, scan, text, without } from './bson-scan.js';
import { CommandError } from './errors.js';
import type { Row } from './pg-connection.js';
import type { Parameter, Statement } from './pg-protocol.js';
import type { Request } from './wire.js';

/** Fields that say how a command runs, not what it does. The engine does not get them. */
const ENVELOPE = new Set([
  '$db',
  '$clusterTime',
  '$readPreference',
  'lsid',
  'txnNumber',
  'startTransaction',
  'autocommit',
  'readConcern',
  'writeConcern',
  'recoveryToken',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'comment',
]);

/** The transaction that a command belongs to. */
interface TransactionRef {
  session: string;
  number: bigint;
  starts: boolean;
}

/** Runs a statement, within the command's transaction if the command has one. */
export type Run = (statement: Statement, parameters: readonly Parameter[]) => Promise<Row[]>;

/** A command without its envelope, which has been read. */
export interface Call {
  name: string;
  db: string;
  /** The value of the first element if it is a string. It is usually the collection. */
  target: string;
  body: Buffer;
  elements: readonly Element[];
  /** The command document without its envelope. */
  spec: Buffer;
  sequence: Buffer | null;
  transaction: TransactionRef | null;
}

/** Reads the envelope of a request. It only looks at the top level. */
export function readCall(request: Request): Call {
  const { body } = request;
  const elements = scan(body);
  const first = elements[0];
  if (first === undefined) {
    throw new CommandError(9, 'the command document is empty');
  }
  let db = 'admin';
  let session = '';
  let txnNumber: bigint | null = null;
  let starts = false;
  let autocommit = true;
  for (const element of elements) {
    switch (element.name) {
      case '$db':
        db = text(body, element);
        break;
      case 'lsid':
        session = body.toString('latin1', element.value, element.end);
        break;
      case 'txnNumber':
        txnNumber = body.readBigInt64LE(element.value);
        break;
      case 'startTransaction':
        starts = number(body, element) === 1;
        break;
      case 'autocommit':
        autocommit = number(body, element) === 1;
        break;
      default:
    }
  }
  return {
    name: first.name,
    db,
    target: first.type === 0x02 ? text(body, first) : '',
    body,
    elements,
    spec: without(body, elements, ENVELOPE),
    sequence: request.sequence,
    transaction: autocommit || txnNumber === null ? null : { session, number: txnNumber, starts },
  };
}

/** The element of this name at the top of the command. */
export function element(call: Call, name: string): Element | undefined {
  return call.elements.find((candidate) => candidate.name === name);
}
