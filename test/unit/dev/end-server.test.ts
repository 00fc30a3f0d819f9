import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import t from 'tap';
import { endable } from '../../../dev/end-server.js';

const servers = { 'before its first request': createHttpServer(), 'in a TLS handshake': createHttpsServer() };

for (const [where, server] of Object.entries(servers)) {
  t.test(`a server ends although a client stays ${where}`, async (t) => {
    const end = endable(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    const accepted = once(server, 'connection');
    const closed = once(client, 'close');
    await Promise.all([once(client, 'connect'), accepted]);
    await Promise.all([end(), closed]);
    t.notOk(server.listening);
  });
}
