import type { DestinationStream } from 'pino';

/**
 * What no line of a log holds, by what it looks like: whatever secret a test makes or is given, it is of one of these
 * forms.
 */
const formats: Readonly<Record<string, RegExp>> = {
  'a password of the tests': /correct-horse/i,
  'a personal access token': /mpat_[\w-]+\.[\w-]{20}/,
  'a refresh token': /mrt_[\w-]{20}/,
  'a JWT': /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY|"d":"[\w-]{20}/,
  'a hash of a password': /\$argon2i?d?\$|\$2[abxy]\$\d\d\$/,
  'credentials of a request': /\b(Basic|Bearer) [\w.~+/=-]{20}/i,
  'the link of a mail': /[?&]token=[\w-]{20}/,
};

/** Client secrets, codes, cookies, access tokens: 32 random bytes or more in base64url. Names of keys look like them. */
const randomText = /(?<![\w-])(?<!keys\/)[\w-]{43,}/g;

/** How many of each kind of characters such a text has at least; identifiers and encoded addresses have fewer. */
const fewest: readonly (readonly [RegExp, number])[] = [
  [/[A-Z]/g, 5],
  [/[a-z]/g, 5],
  [/\d/g, 1],
];

/** Which kinds of secrets a text holds. */
export function secretsIn(text: string): string[] {
  const found = Object.keys(formats).filter((name) => formats[name]?.test(text));
  const isRandom = (word: string) =>
    fewest.every(([kind, count]) => (word.match(kind) ?? []).length >= count);
  if ((text.match(randomText) ?? []).some(isRandom)) found.push('random bytes');
  return found;
}

/** The lines of a log that hold secrets, with what that is. */
export function linesWithSecrets(log: string): string[] {
  if (secretsIn(log).length === 0) return [];
  return log.split('\n').flatMap((line) => {
    const found = secretsIn(line);
    return found.length === 0 ? [] : [`${found.join(', ')}: ${line.slice(0, 500)}`];
  });
}

/** Takes the lines of a log and searches each; `leaks` are those that hold secrets. */
export function searchLines(alsoTo?: DestinationStream): DestinationStream & { readonly leaks: string[] } {
  const leaks: string[] = [];
  return {
    leaks,
    write(line) {
      leaks.push(...linesWithSecrets(line));
      alsoTo?.write(line);
    },
  };
}
