import type { Attack, Attacking, Target } from '../attack.js';
import type { Caller, Shot } from '../caller.js';
import { cheapRequests, partOf, times } from '../clients.js';
import { largeUser, marks, scim, textWithMarks, unique, urn, user } from '../scim.js';

export const equalCreates: Attack = {
  name: 'A1 equal creates',
  sends: '30 creates of one userName at once, a round every 0.5 s',
  reached: ['201', '409 uniqueness'],
  possible: ['503'],
  slowestMs: 1_000,
  start: async () => (attacking) =>
    attacking.rounds(500, async () => {
      const same = user(`equal-${unique()}`);
      await Promise.all(times(30, () => attacking.send(scim(attacking.target, 'POST', '/Users', same))));
    }),
  control: cheapRequests(30),
};

/** A user whose values are long lists. @returns its path */
async function addTarget(caller: Caller, target: Target): Promise<string> {
  const large = largeUser(`target-${unique()}`);
  const { status, text } = await caller.send(scim(target, 'POST', '/Users', large));
  if (status !== 201) throw new Error(`The user to be changed is not there: ${status} ${text}`);
  return `/Users/${JSON.parse(text).id}`;
}

/** A little less than what a request about one user may have, and what a Bulk and the Ingress take, in characters. */
const room = { user: 260_000, bulk: 979_000 };

/** Removals of the values that match one of many conditions, at most this many, and as many as a body may hold. */
function removals(
  most: number,
  { attribute, condition, conditions }: { attribute: string; condition: string; conditions: number },
  longestBody: number,
): object[] {
  const one = { op: 'remove', path: `${attribute}[${Array(conditions).fill(condition).join(' or ')}]` };
  const fit = Math.floor(longestBody / Buffer.byteLength(JSON.stringify(one)));
  return times(Math.min(most, fit), () => one);
}

/** Three kinds of PATCH: texts full of combining marks, a long list of values, and many removals with large filters. */
function hostilePatches(longestBody: number): readonly object[][] {
  const marked = { formatted: `none ${textWithMarks}` };
  const listed = Math.min(200, Math.floor(longestBody / Buffer.byteLength(JSON.stringify(marked))) - 1);
  const hostile = { attribute: 'addresses', condition: `formatted co "${marks(30)}"`, conditions: 8 };
  const many = { attribute: 'roles', condition: 'value eq "xyz"', conditions: 45 };
  return [
    removals(10, hostile, longestBody),
    [{ op: 'remove', path: 'addresses', value: times(listed, () => marked) }],
    removals(1000, many, longestBody),
  ];
}

export const hostilePatchesAttack: Attack = {
  name: 'A2 hostile PATCHes',
  sends: 'three kinds, and one that is too long, one of each per second',
  reached: ['400 tooMany', '413'],
  possible: ['200', '204'],
  async start(caller, target) {
    const path = await addTarget(caller, target);
    const kinds = [...hostilePatches(room.user), ...hostilePatches(room.bulk).slice(2)];
    const shots = kinds.map((Operations) =>
      scim(target, 'PATCH', path, { schemas: [urn.patch], Operations }),
    );
    return (attacking) =>
      attacking.rounds(1000 / shots.length, async (number) => {
        const shot = shots[number % shots.length];
        if (shot !== undefined) await attacking.send(shot);
      });
  },
};

export const hostileBulk: Attack = {
  name: 'A2 hostile PATCHes in a Bulk',
  sends: 'the same four kinds, each as a Bulk of one operation for a worker, one per second',
  reached: ['200 tooMany'],
  possible: ['200', '503'],
  async start(caller, target) {
    const path = await addTarget(caller, target);
    const kinds = [...hostilePatches(room.user), ...hostilePatches(room.bulk).slice(2)];
    const shots = kinds.map((Operations) =>
      scim(target, 'POST', '/Bulk', {
        schemas: [urn.bulk],
        Operations: [{ method: 'PATCH', path, data: { schemas: [urn.patch], Operations } }],
      }),
    );
    return (attacking) =>
      attacking.rounds(1000, async (number) => {
        const shot = shots[number % shots.length];
        if (shot !== undefined) await attacking.send(shot);
      });
  },
};

/** Each search has other texts, so that no count of an earlier one is known. A filter has at most 1,000 characters. */
function search({ target }: Attacking, clauses: number): Shot {
  const word = unique().slice(0, 4);
  const filter = times(clauses, (n) => `title co "${word}${n.toString(36)}"`).join(' or ');
  return scim(target, 'POST', '/Users/.search', { schemas: [urn.search], filter, count: 1 });
}

/** With the users of the attacker's organization, this is the largest number that is possible. */
export const possibleClauses = 45;
const tooManyClauses = possibleClauses + 1;

export const scans: Attack = {
  name: 'A4 32 scans at once',
  sends: `32 searches with ${possibleClauses} clauses at once, each followed by the next; and one too costly per second`,
  reached: ['200', '400 tooMany'],
  possible: ['429', '503'],
  start: async () => async (attacking) => {
    const one = () => attacking.rounds(0, () => attacking.send(search(attacking, possibleClauses)));
    const tooCostly = () => attacking.rounds(1000, () => attacking.send(search(attacking, tooManyClauses)));
    await Promise.all([...times(32, one), tooCostly()]);
  },
  control: cheapRequests(33),
};

export const manyScans: Attack = {
  name: 'A4 150 scans at once',
  sends: `150 searches with ${possibleClauses} clauses at once, a round every 5 s`,
  reached: ['200', '429'],
  possible: ['503'],
  start: async () => (attacking) =>
    attacking.rounds(5_000, () =>
      Promise.all(times(150, () => attacking.send(search(attacking, possibleClauses)))),
    ),
  control: cheapRequests(150),
};

export const passwords: Attack = {
  name: 'A5 creates with passwords',
  sends: '260 creates with passwords at once, a round every 5 s',
  reached: ['201'],
  possible: ['429', '503'],
  start: async () => (attacking) =>
    attacking.rounds(5_000, () =>
      Promise.all(
        times(partOf(260, attacking.target), () => {
          const made = user(`hashed-${unique()}`, { password: `Correct-Horse-7-${unique()}` });
          return attacking.send(scim(attacking.target, 'POST', '/Users', made));
        }),
      ),
    ),
  control: cheapRequests(260),
};
