import t from 'tap';
import { placeOf } from '#src/http/pages/place-of.js';

t.test('the host of a web address, and the scheme of every other', async (t) => {
  for (const [address, place] of [
    ['https://app.example/cb', 'app.example'],
    ['https://app.example:8443/cb', 'app.example:8443'],
    ['http://127.0.0.1:3000/cb', '127.0.0.1:3000'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['myapp://', 'myapp:'],
    ['myapp://accounts.bank.example/cb', 'myapp:'],
  ] as const)
    t.equal(placeOf(address), place);
});
