import t from 'tap';
import { deviceOf } from '#src/http/device.js';

const of = (agent?: string) =>
  deviceOf({ ip: '192.0.2.7', headers: agent === undefined ? {} : { 'user-agent': agent } });

t.test('the browser and the system of a request', (t) => {
  const rows = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      'Microsoft Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1',
      'Safari',
      'iOS',
    ],
  ] as const;
  for (const [agent, browser, system] of rows)
    t.same(of(agent), { browser, system, address: '192.0.2.7' }, agent);
  t.end();
});

t.test('a header that names nothing known gives short words, or nothing', (t) => {
  t.same(of(), { address: '192.0.2.7' });
  for (const agent of [
    '',
    '<script>alert(1)</script>/1.0 ',
    '<b>/1',
    `${'x'.repeat(100_000)}/1.0`,
    '"onload=1/2.0 (',
    '\u202e/1',
  ]) {
    const { browser, system } = of(agent);
    for (const word of [browser, system])
      t.match(word ?? 'none', /^[A-Za-z0-9][\w .+-]{0,39}$/, agent.slice(0, 40));
  }
  t.end();
});
