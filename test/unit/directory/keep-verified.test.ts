import t from 'tap';
import type { UserProfile } from '#src/directory/user.js';
import { keepVerified } from '#src/people/users/keep-verified.js';

const profile = (emails: UserProfile['emails'], phoneNumbers?: UserProfile['phoneNumbers']): UserProfile => ({
  userName: 'ada',
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada',
  preferredLanguage: 'en',
  emails,
  ...(phoneNumbers && { phoneNumbers }),
});

t.test('an address keeps its verified flag, whichever caller writes the profile', async (t) => {
  const before = profile(
    [
      { value: 'a@example.com', primary: true, verified: false },
      { value: 'b@example.com', primary: false },
    ],
    [{ value: '+4930123', primary: false, verified: true }],
  );
  const written = profile(
    [
      { value: 'b@example.com', primary: true },
      { value: 'a@example.com', type: 'work', primary: false, verified: true },
      { value: 'c@example.com', primary: false },
    ],
    [{ value: '+4930123', primary: true }],
  );
  t.strictSame(
    keepVerified(before, written),
    profile(
      [
        { value: 'b@example.com', primary: true },
        { value: 'a@example.com', type: 'work', primary: false, verified: false },
        { value: 'c@example.com', primary: false },
      ],
      [{ value: '+4930123', primary: true, verified: true }],
    ),
  );
});
