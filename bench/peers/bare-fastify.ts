/** Peer: a bare Fastify route that does one MongoDB call, with the product's driver settings. */
import Fastify from 'fastify';
import { MongoClient } from 'mongodb';
import { equalDocument, type PersonBody } from './equal-document.js';

type Stored = ReturnType<typeof equalDocument>;

const { PORT = '0', MONGODB_URL = '', MONGODB_DATABASE = '', ORG_ID: orgId = '', POOL_SIZE } = process.env;

const client = new MongoClient(MONGODB_URL, {
  appName: 'muster-bench',
  maxPoolSize: Number(POOL_SIZE),
  ignoreUndefined: true,
  retryWrites: true,
});
await client.connect();
const users = client.db(MONGODB_DATABASE).collection<Stored>('users');
const written = client.db(MONGODB_DATABASE).collection<Stored>('benchUsers');
const events = client.db(MONGODB_DATABASE).collection('benchEvents');
const projection = { password: 0, search: 0, schemaVersion: 0 } as const;

const app = Fastify({ logger: false });
app.get('/ready', () => ({ ready: true }));
app.post<{ Body: PersonBody }>('/users', async (request, reply) => {
  const document = equalDocument(orgId, request.body);
  await written.insertOne(document);
  return reply.code(201).send(request.body);
});
// The cost of the product's promise alone: the document and an equal event in one transaction.
app.post<{ Body: PersonBody }>('/users-with-events', async (request, reply) => {
  const document = equalDocument(orgId, request.body);
  const { userName, displayName, active, externalId, created: creationDate } = document;
  const event = {
    type: 'user.human.added',
    aggregate: { id: document._id, type: 'user', resourceOwner: orgId },
    editor: { userId: document._id, service: 'bench' },
    sequence: 1,
    creationDate,
    payload: { userName, displayName, email: document.emails[0].value, externalId, active },
  };
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await written.insertOne(document, { session });
      await events.insertOne(event, { session });
    }),
  );
  return reply.code(201).send(request.body);
});
app.get<{ Params: { id: string } }>('/users/:id', (request) =>
  users.findOne({ _id: request.params.id, orgId }, { projection }),
);
app.get('/users', () => users.find({ orgId }, { projection }).sort({ _id: 1 }).limit(100).toArray());
app.get<{ Params: { userName: string } }>('/by-user-name/:userName', (request) =>
  users.findOne({ orgId, 'search.userName': request.params.userName }, { projection }),
);
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
