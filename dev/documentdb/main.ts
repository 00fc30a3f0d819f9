import { parseArgs } from 'node:util';
import { noFaults } from './faults.js';
import { startGateway } from './gateway.js';

// The gateway as a process of its own: node --import=tsx dev/documentdb/main.ts --socket <path> --port <port>
const { values } = parseArgs({
  options: { socket: { type: 'string' }, port: { type: 'string' }, 'replica-set': { type: 'string' } },
});
if (values.socket === undefined || values.port === undefined) {
  process.stderr.write('usage: main.ts --socket <PostgreSQL socket path> --port <port on 127.0.0.1>\n');
  process.exit(1);
}
const replicaSet = values['replica-set'];
const gateway = await startGateway({
  socketPath: values.socket,
  port: Number(values.port),
  faults: { ...noFaults(), ...(replicaSet !== undefined && { replicaSet }) },
});
process.stdout.write(`gateway: listening on 127.0.0.1:${gateway.port}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    gateway.close().then(() => process.exit(0));
  });
}
