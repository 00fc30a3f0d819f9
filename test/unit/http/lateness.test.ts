import t from 'tap';
import { createLateness } from '#src/http/limits/lateness.js';

/** Requests of two organizations in turn that come one every 20 ms, and how often they were reported as late. */
function open({ isSlow = async () => false } = {}) {
  let now = 0;
  let reports = 0;
  let learned = 0;
  const lateness = createLateness(
    () => reports++,
    { learn: () => learned++, isSlow },
    () => now,
  );
  const route = lateness.ofRoute();
  return {
    lateness,
    learned: () => learned,
    reports: () => reports,
    /** @returns the reports during `count` requests that take so long, in milliseconds */
    during(
      count: number,
      tookMs: (index: number) => number,
      { took = route, holders = ['one', 'other'] }: { took?: typeof route; holders?: string[] } = {},
    ): number {
      const before = reports;
      for (let index = 0; index < count; index++) {
        now += 20;
        took(now - tookMs(index), String(holders[index % holders.length]));
      }
      return reports - before;
    },
  };
}

t.test('requests that take as long as usual, with one in twenty that is slow, are not late', async (t) => {
  const { during } = open();
  t.equal(
    during(2_000, (index) => (index % 20 === 0 ? 15 : 2 + (index % 7) / 5)),
    0,
  );
});

t.test('requests that take three times as long are late until they are fast again', async (t) => {
  const { during } = open();
  during(200, () => 3);
  const reports = during(500, () => 9);
  t.ok(reports >= 25 && reports <= 40, `${reports} reports in 10 s`);
  t.ok(during(50, () => 3) <= 1);
  t.equal(
    during(500, () => 3),
    0,
  );
});

t.test('a long time of late requests does not become usual soon', async (t) => {
  const { during } = open();
  during(200, () => 3);
  // Five minutes.
  during(15_000, () => 9);
  t.ok(during(50, () => 9) >= 3);
});

t.test('each route has its own usual time', async (t) => {
  const { lateness, during } = open();
  const slow = lateness.ofRoute();
  for (let round = 0; round < 100; round++) {
    t.equal(
      during(1, () => 2),
      0,
    );
    t.equal(
      during(1, () => 80, { took: slow }),
      0,
    );
  }
});

t.test('a single slow request, and requests of less than a millisecond more, report nothing', async (t) => {
  const { during } = open();
  during(200, () => 0.3);
  t.equal(
    during(500, () => 1.2),
    0,
  );
  t.equal(
    during(1, () => 4_000),
    0,
  );
});

t.test('one organization alone makes nobody wait, however late its requests are', async (t) => {
  const { during } = open();
  during(200, () => 3);
  t.equal(
    during(500, () => 900, { holders: ['attacker'] }),
    0,
    'beside nobody',
  );
  t.equal(
    during(2_000, (index) => (index % 4 === 0 ? 3 : 900), {
      holders: ['other', ...Array(3).fill('attacker')],
    }),
    0,
    'beside others whose requests are as fast as usual',
  );
  const crowd = open();
  crowd.during(200, () => 3);
  t.ok(
    crowd.during(500, () => 9, { holders: ['one', 'other', 'attacker'] }) > 5,
    'late requests of others still count',
  );
});

/** Requests of one organization beside those of another that come eight times in a second, for 20 s. */
async function beside({ slow, others }: { slow: boolean; others: number }): Promise<number> {
  const opened = open({ isSlow: async () => slow });
  const holders = ['other', ...Array(5).fill('busy')];
  opened.during(600, () => 3, { holders });
  for (let times = 0; times < 40; times++) {
    opened.during(25, (index) => (index % 6 === 0 ? others : 9), { holders });
    await new Promise(setImmediate);
  }
  return opened.reports();
}

t.test('one organization with many late requests does not hide those of another', async (t) => {
  t.ok((await beside({ slow: false, others: 9 })) >= 5, 'although the database answers as usual');
});

t.test(
  'one organization with late requests counts for nothing while those of others are not late',
  async (t) => {
    t.equal(await beside({ slow: false, others: 3 }), 0);
    t.equal(await beside({ slow: true, others: 3 }), 0, 'although the database is slow');
  },
);

t.test('late requests of one organization alone count while the database is slow', async (t) => {
  for (const slow of [false, true]) {
    let asked = 0;
    const { during, learned, reports } = open({
      async isSlow() {
        asked++;
        return slow;
      },
    });
    during(500, () => 3, { holders: ['one'] });
    t.ok(learned() >= 4, 'what is usual for the database is learned while nothing is late');
    t.equal(asked, 0);
    for (let times = 0; times < 20; times++) {
      during(25, () => 9, { holders: ['one'] });
      await new Promise(setImmediate);
    }
    t.ok(asked >= 3, `${asked} questions`);
    if (slow) t.ok(reports() >= 10 && reports() <= 40, `${reports()} reports in 10 s`);
    else t.equal(reports(), 0);
  }
});

t.test('an answer of the database that comes late counts for nothing after another verdict', async (t) => {
  const answers: ((isSlow: boolean) => void)[] = [];
  const { during, reports } = open({
    isSlow: () => new Promise((answer) => answers.push(answer)),
  });
  during(500, () => 3, { holders: ['one'] });
  during(500, () => 9, { holders: ['one'] });
  t.equal(answers.length, 1, 'one question at a time, however long the answer takes');
  during(200, () => 3);
  answers[0]?.(true);
  await new Promise(setImmediate);
  t.equal(reports(), 0);
});

t.test('of many requests one in eight is measured, and after each verdict the first hundred', async (t) => {
  const { lateness, during } = open();
  const measured = (count: number) =>
    Array.from({ length: count }, () => lateness.measures()).filter(Boolean);
  t.equal(measured(100).length, 100);
  t.equal(measured(800).length, 100);
  during(200, () => 3);
  t.equal(measured(100).length, 100, 'a verdict begins anew');
});
