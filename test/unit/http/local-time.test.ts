import t from 'tap';
import { clockText, momentAt, readTimeZone, timeText } from '#src/http/base/local-time.js';

/** Times as a clock at the place of a person shows them, on the days when clocks are changed too. */

t.test('a time of a form is a moment, at each edge of a day with 23 or 25 hours', async (t) => {
  const cases = [
    // [zone, time, first, last]
    ['UTC', '2025-10-26T02:30', '2025-10-26T02:30:00Z', '2025-10-26T02:30:00Z'],
    ['Europe/Berlin', '2025-01-15T12:00', '2025-01-15T11:00:00Z', '2025-01-15T11:00:00Z'],
    ['Europe/Berlin', '2025-07-15T00:00', '2025-07-14T22:00:00Z', '2025-07-14T22:00:00Z'],
    ['Europe/Berlin', '2025-10-26T02:30', '2025-10-26T00:30:00Z', '2025-10-26T01:30:00Z'],
    ['Europe/Berlin', '2025-10-26T02:00', '2025-10-26T00:00:00Z', '2025-10-26T01:00:00Z'],
    ['Europe/Berlin', '2025-10-26T03:00', '2025-10-26T02:00:00Z', '2025-10-26T02:00:00Z'],
    ['Europe/Berlin', '2025-03-30T02:30', '2025-03-30T01:00:00Z', '2025-03-30T01:00:00Z'],
    ['Europe/Berlin', '2025-03-30T01:59', '2025-03-30T00:59:00Z', '2025-03-30T00:59:00Z'],
    ['Europe/Berlin', '2025-03-30T03:00', '2025-03-30T01:00:00Z', '2025-03-30T01:00:00Z'],
    ['America/New_York', '2025-11-02T01:30', '2025-11-02T05:30:00Z', '2025-11-02T06:30:00Z'],
    ['Asia/Kolkata', '2025-05-01T05:30', '2025-05-01T00:00:00Z', '2025-05-01T00:00:00Z'],
    // By half an hour.
    ['Australia/Lord_Howe', '2025-04-06T01:45', '2025-04-05T14:45:00Z', '2025-04-05T15:15:00Z'],
    // At midnight, so that the day begins at one o'clock.
    ['Africa/Cairo', '2024-04-26T00:00', '2024-04-25T22:00:00Z', '2024-04-25T22:00:00Z'],
    // A whole day is left out.
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
    ['Pacific/Kiritimati', '2025-01-01T00:00', '2024-12-31T10:00:00Z', '2024-12-31T10:00:00Z'],
    ['Etc/GMT+12', '2025-01-01T00:00', '2025-01-01T12:00:00Z', '2025-01-01T12:00:00Z'],
  ] as const;
  for (const [timeZone, text, first, last] of cases) {
    const moment = (edge: 'first' | 'last') =>
      momentAt(text, { timeZone, edge })?.toISOString().replace('.000', '');
    t.equal(moment('first'), first, `${timeZone} ${text}, first`);
    t.equal(moment('last'), last, `${timeZone} ${text}, last`);
  }
  for (const text of [
    '',
    '2025-13-01T00:00',
    '2025-01-01',
    '2025-01-01T25:00',
    '2025-01-01T00:00Z',
    'x'.repeat(1000),
  ])
    t.equal(momentAt(text, { timeZone: 'Europe/Berlin', edge: 'first' }), undefined, text.slice(0, 20));
  t.ok(momentAt('0001-01-01T00:00', { timeZone: 'Europe/Berlin', edge: 'first' }));
  t.ok(momentAt('9999-12-31T23:59', { timeZone: 'Pacific/Apia', edge: 'last' }));
});

t.test('a clock shows a moment, and its zone tells two equal times apart', async (t) => {
  const [summer, winter] = [new Date('2025-10-26T00:30:00Z'), new Date('2025-10-26T01:30:00Z')];
  for (const moment of [summer, winter]) t.equal(clockText(moment, 'Europe/Berlin'), '2025-10-26T02:30');
  const text = (moment: Date) => timeText(moment, { language: 'de', timeZone: 'Europe/Berlin' });
  t.equal(text(summer), '26.10.2025, 02:30 MESZ');
  t.equal(text(winter), '26.10.2025, 02:30 MEZ');
  t.match(timeText(winter, { language: 'en', timeZone: 'UTC' }), /^Oct 26, 2025, 1:30\sAM UTC$/);
  t.equal(timeText(new Date('no'), { language: 'en', timeZone: 'UTC' }), '');
});

t.test('only names of zones are zones', async (t) => {
  for (const zone of [
    'UTC',
    'Europe/Berlin',
    'Asia/Calcutta',
    'Etc/GMT+12',
    'America/Argentina/Buenos_Aires',
  ])
    t.equal(readTimeZone(zone), zone);
  for (const zone of [
    '',
    '+01:00',
    'Europe/Nowhere',
    '<b>',
    'constructor',
    '__proto__',
    `A${'a'.repeat(70)}`,
    'Europe/Berlin\n',
  ])
    t.equal(readTimeZone(zone), undefined, JSON.stringify(zone));
});
