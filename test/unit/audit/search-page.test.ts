import t from 'tap';
import type { Event } from '#src/audit/event.js';
import type { EventQuery } from '#src/audit/events.store.js';
import { searchPage } from '#src/audit/search-page.js';

const ids = Array.from({ length: 20 }, (_, n) => String(n + 1).padStart(2, '0'));

/** Events of which every tenth is rare, and a search for these. */
function openEvents({ rare = (id: string) => Number(id) % 10 === 0, most = ids.length } = {}) {
  const searches: EventQuery[] = [];
  const inOrder = ({ ascending, after = '', through }: EventQuery) => {
    const list = ascending ? ids : [...ids].reverse();
    const isBehind = (id: string, place: string) => (ascending ? id > place : id < place);
    return list.filter(
      (id) => (after === '' || isBehind(id, after)) && (through === undefined || !isBehind(id, through)),
    );
  };
  return {
    searches,
    placeAfter: async (query: EventQuery, size: number) => inOrder(query)[size - 1],
    page: async (query: EventQuery) => {
      searches.push(query);
      const found = inOrder(query).filter(rare).slice(0, query.limit);
      const events = found.slice(0, most).map((id) => ({ id }) as Event);
      return { events, bytes: 1_000_000 * events.length, isCut: found.length > most };
    },
  };
}

const read = async (query: Partial<EventQuery>, limits: object = {}, events = openEvents()) => {
  const whole = { limit: 5, ascending: true, ...query };
  const page = await searchPage(events, whole, { window: 4, longestMs: 60_000, ...limits });
  return { found: page.events.map(({ id }) => id), end: page.end, searches: events.searches.length };
};

t.test('a search reads window by window until its page is full', async (t) => {
  t.same(await read({ limit: 1 }), { found: ['10'], end: '10', searches: 3 });
  t.same(await read({ limit: 1, after: '10' }), { found: ['20'], end: '20', searches: 3 });
  t.same(await read({ limit: 2, ascending: false }), { found: ['20', '10'], end: '10', searches: 3 });
});

t.test('at the end of the search there is no further page', async (t) => {
  t.same(await read({}), { found: ['10', '20'], end: undefined, searches: 6 });
  t.same(await read({ after: '20' }), { found: [], end: undefined, searches: 1 });
  t.same(await read({ ascending: false }), { found: ['20', '10'], end: undefined, searches: 6 });
});

t.test('a page ends after a while, and the next one goes on from there', async (t) => {
  const found: string[] = [];
  const ends: (string | undefined)[] = [];
  for (let after: string | undefined = ''; after !== undefined; after = ends.at(-1)) {
    const page = await read({ after, ascending: false }, { longestMs: -1 });
    t.equal(page.searches, 1);
    found.push(...page.found);
    ends.push(page.end);
  }
  t.same(found, ['20', '10']);
  t.same(ends, ['17', '13', '09', '05', '01', undefined]);
});

t.test('a page ends after many bytes', async (t) => {
  const many = () => openEvents({ rare: () => true, most: 3 });
  t.same(await read({}, {}, many()), { found: ['01', '02', '03'], end: '03', searches: 1 }, 'of one window');
  const each = () => openEvents({ rare: () => true });
  t.same(await read({ limit: 9 }, {}, each()), {
    found: ids.slice(0, 8),
    end: '08',
    searches: 2,
  });
});
