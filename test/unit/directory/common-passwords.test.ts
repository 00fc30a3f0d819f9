import t from 'tap';
import { isCommonPassword } from '#src/accounts/common-passwords.js';

t.test('common and breached passwords are found in the forms that attackers try', async (t) => {
  const common = {
    'as the list has them': ['password', '12345678', 'trustno1', '1q2w3e4r', 'iloveyou', 'pa$$w0rd'],
    'in any case': ['PassWord', 'TRUSTNO1', 'ILoveYou'],
    'in other characters that mean the same': ['ｐａｓｓｗｏｒｄ', 'Ｐａｓｓｗｏｒｄ１！'],
    'with what composition rules ask for': [
      'Password1!',
      '!Password1',
      'Summer2024!',
      'Welcome123!',
      '1Dragon!',
    ],
    'with digits and symbols for letters': ['P@ssw0rd', '$unsh1ne!', 'L3tm31n!!', 'Dr4g0n-99'],
    repeated: ['passwordpassword', 'QwertyQwertyQwerty', 'abcabcabcabcabc', 'a1a1a1a1a1a1a1a1'],
    'in one run': ['aaaaaaaa', 'abcdefgh', 'ZYXWVUTS', 'Abcdefgh1!', '!!!!!!!!!!!!!!!'],
  };
  for (const [kind, passwords] of Object.entries(common)) {
    for (const password of passwords) t.ok(isCommonPassword(password), `${password}: ${kind}`);
  }
});

t.test('other passwords are not common, whatever words they contain', async (t) => {
  for (const password of [
    'Correct-Horse-7',
    'my password is a dragon',
    'dragonpassword sunshine',
    'Password-18364927!',
    'xK9$mQ2p',
    'Пароль-из-слов-7',
    '密码没有在名单上',
    '😀😁😂😃😊🙃🙂😇',
    '',
    'ab',
  ]) {
    t.notOk(isCommonPassword(password), password);
  }
});

t.test('the check of a password takes less than a millisecond, however long it is', async (t) => {
  const passwords = [
    'Correct-Horse-7',
    '\ufdfa'.repeat(200),
    `a${'\u0301\u0323'.repeat(99)}`,
    '1!'.repeat(100),
    `${'ab'.repeat(99)}c`,
  ];
  for (const password of passwords) {
    isCommonPassword(password);
    const runs = Array.from({ length: 20 }, () => {
      const before = process.cpuUsage();
      for (let time = 0; time < 50; time++) isCommonPassword(password);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 50;
    });
    const microseconds = Math.min(...runs);
    t.ok(microseconds < 1000, `${microseconds} µs for ${password.length} characters`);
  }
});
