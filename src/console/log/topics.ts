import type { EventType } from '#src/audit/event.js';
import { eventSentences } from './describe-event.js';
import type { Topic } from './texts/page.js';

export const allTypes = Object.keys(eventSentences.en) as EventType[];

const starting = (...starts: string[]) =>
  allTypes.filter((type) => starts.some((start) => type.startsWith(start)));

const refused = allTypes.filter((type) => type.endsWith('.failed'));

export const topics: Readonly<Record<Topic, readonly EventType[]>> = {
  refused: [...refused, 'user.locked'],
  signIns: [
    ...refused,
    ...allTypes.filter((type) => type.endsWith('.succeeded')),
    'user.locked',
    'user.unlocked',
    'user.session.ended',
    'user.browser.remembered',
    'user.browser.forgotten',
    'user.impersonated',
    'user.human.link.added',
    'user.human.recovered',
    'user.human.password.changed',
  ],
  users: starting(
    'user.human',
    'user.locked',
    'user.unlocked',
    'user.deactivated',
    'user.reactivated',
    'user.removed',
    'user.metadata',
    'user.identities',
    'user.identity',
    'user.passkeys',
    'user.consent',
  ),
  roles: starting('member.', 'group.roles', 'user.grant', 'group.grant', 'project.'),
  groups: starting('group.'),
  applications: starting('application.'),
  serviceUsers: starting('user.machine', 'user.token'),
  organizations: starting('org.', 'connection.', 'setup.'),
  migration: starting('import.', 'export.', 'passwords.', 'job.'),
  service: starting('signing.', 'features.'),
};

/** The types of a topic that are in none before, so that each type is once in the list of all. */
export function kindsOf(topic: Topic): readonly EventType[] {
  const all = Object.keys(topics) as Topic[];
  const before = new Set(all.slice(0, all.indexOf(topic)).flatMap((other) => topics[other]));
  return topics[topic].filter((type, at, types) => !before.has(type) && types.indexOf(type) === at);
}

/** The types that a value of the filter means. Undefined for all of them. */
export function typesOf(value: string): readonly EventType[] | undefined {
  if (Object.hasOwn(topics, value)) return topics[value as Topic];
  return allTypes.filter((type) => type === value).length > 0 ? [value as EventType] : undefined;
}
