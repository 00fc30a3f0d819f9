import t from 'tap';
import { spentBy } from '../../../bench/process-kinds.js';

t.test('the processor time of a side is that of all its kinds, which must all be there', async (t) => {
  const before = new Map([
    ['api', 10],
    ['worker', 20],
    ['other', 5],
    ['gone', 0],
  ]);
  const after = (api: number) => new Map([...before, ['api', api]]);
  t.equal(spentBy(['api', 'worker'], { before, after: after(40) }), 30);
  const kinds = ['api', 'worker'];
  t.throws(() => spentBy(kinds, { before, after: after(10) }), { message: /No processor time/ });
  t.throws(() => spentBy(kinds, { before, after: after(9) }), { message: /kind api ended/ });
  t.throws(() => spentBy([...kinds, 'gone'], { before, after: after(40) }), { message: /kind gone/ });
});
