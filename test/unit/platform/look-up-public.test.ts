import { promisify } from 'node:util';
import t from 'tap';
import { askNameServers, lookUpPublic } from '#src/platform/outgoing/look-up-public.js';

const names: Record<string, { address: string; family: number }[]> = {
  'public.example': [
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ],
  'inside.example': [{ address: '10.0.0.1', family: 4 }],
  'both.example': [
    { address: '93.184.216.34', family: 4 },
    { address: '::1', family: 6 },
  ],
};
const ask = async (name: string) => names[name] ?? [];
const look = (name: string, all: boolean, privateHosts: string[] = []) =>
  new Promise((resolve, reject) => {
    lookUpPublic(new Set(privateHosts), ask)(name, { all }, (error, found, family) =>
      error ? reject(error) : resolve(all ? found : [found, family]),
    );
  });

t.test('a connection gets the addresses that were checked', async (t) => {
  t.same(await look('public.example', true), names['public.example']);
  t.same(await look('public.example', false), ['93.184.216.34', 4]);
});

t.test('a name with a private address is refused, also beside a public one', async (t) => {
  for (const name of ['inside.example', 'both.example'])
    for (const all of [true, false])
      await t.rejects(look(name, all), { name: 'OutgoingError', problem: 'privateAddress' }, name);
});

t.test('a name without an address', async (t) => {
  await t.rejects(look('nowhere.example', true), { name: 'OutgoingError', problem: 'unknownHost' });
});

t.test('name servers that fail do not mean that a name has no address', async (t) => {
  const answering = (four: string[] | string, six: string[] | string) => {
    const answer = (given: string[] | string) => async () => {
      if (typeof given === 'string') throw Object.assign(new Error('x'), { code: given });
      return given;
    };
    return askNameServers('some.example', {
      resolve4: answer(four),
      resolve6: answer(six),
    } as never);
  };
  t.same(await answering('ENOTFOUND', 'ENODATA'), []);
  t.same(await answering(['93.184.216.34'], 'ETIMEOUT'), [{ address: '93.184.216.34', family: 4 }]);
  for (const code of ['ETIMEOUT', 'ESERVFAIL', 'ECONNREFUSED', 'EREFUSED'])
    await t.rejects(answering('ENODATA', code), { name: 'OutgoingError', problem: 'unresolvedHost' }, code);
});

t.test('name servers are asked without a thread', async (t) => {
  // localhost is known to the machine, not to name servers.
  const ofMachine = promisify(lookUpPublic(new Set()) as (...all: never[]) => void) as (
    name: string,
    options: object,
  ) => Promise<unknown>;
  await t.rejects(ofMachine('localhost', { all: true }), { name: 'OutgoingError' });
});

t.test('hosts that the operator named are found as the machine finds them', async (t) => {
  t.match(await look('LOCALHOST', true, ['localhost']), [{ address: /^(127\.0\.0\.1|::1)$/ }]);
});
