import t from 'tap';
import { newEvent, newEvents } from '#src/audit/new-event.js';

const editor = { userId: 'u1', service: 'admin' };
const date = new Date('2026-01-01T00:00:00.000Z');

t.test('an event without an organization belongs to the instance', async (t) => {
  const event = newEvent('features.changed', {
    aggregate: 'instance',
    id: 'features',
    editor,
    sequence: 3,
    date,
  });
  t.match(event, {
    type: 'features.changed',
    aggregate: { id: 'features', type: 'instance', resourceOwner: '*' },
    editor,
    sequence: 3,
    creationDate: date,
    payload: {},
  });
  const { id } = newEvent('org.added', {
    aggregate: 'org',
    id: 'o1',
    orgId: 'o1',
    editor,
    sequence: 1,
    date,
  });
  t.ok(event.id < id, 'identifiers sort by time');
});

t.test('the last event of a change has the version of the aggregate', async (t) => {
  const project = { id: 'p1', orgId: 'o1', version: 7, lastModified: date };
  const happened = [
    ['project.changed', { attributes: ['name'] }],
    ['project.role.added', { key: 'reader' }],
  ] as const;
  t.match(newEvents('project', project, { happened, editor }), [
    { type: 'project.changed', sequence: 6, payload: { attributes: ['name'] }, creationDate: date },
    {
      type: 'project.role.added',
      sequence: 7,
      aggregate: { id: 'p1', type: 'project', resourceOwner: 'o1' },
    },
  ]);
  t.same(newEvents('project', project, { happened: [], editor }), []);
});
