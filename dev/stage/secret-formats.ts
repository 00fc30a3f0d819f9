import type { DestinationStream } from 'pino';

/** Patterns that no log line may match. Every secret that a test makes or gets matches one of them. */
const formats: Readonly<Record<string, RegExp>> = {
  'a password of the tests': /correct-horse/i,
  'the key of a bucket of the tests, or a signature': /s3cr3t\/OfTheTests|[?&]sig=[\w%]{20}/,
  'a personal access token': /mpat_[\w-]+\.[\w-]{20}/,
  'a refresh token': /mrt_[\w-]{20}/,
  'a JWT': /eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY|"d":"[\w-]{20}/,
  'a hash of a password':
    /\$argon2i?d?\$|\$2[abxy]\$\d\d\$|\$bcrypt-|\b(fire|firebase|fb)?scrypt\$|pbkdf2([-_]\w+)?\$|\$[1567y]\$[./\w$]|\$apr1\$|\$pepper-|\$md5salted-|\$symfony-|\$[PHS]\$[./\w]|\$(hmac-|salted-)?(md[45]|sha\d+(-\d+)?)(-crypt)?\$/,
  'a hash of a password in the form of LDAP, Dovecot or Spring':
    /\{((PLAIN-|LDAP-)?S?(MD[45]|SHA-?\d*)(\.HEX|\.B64)?|([\w-]+-)?CRYPT|ARGON2(I|ID)?|BCRYPT|PBKDF2([-_](HMAC-)?SHA\d+)?|PKCS5S2|(CRAM|HMAC)-MD5|NTLM|LDAP|SCRAM-SHA-\d+|(pbkdf2|scrypt|argon2)(@\w+)?)\}[$./\w{]/i,
  'a hash of a password in the form of Werkzeug or PostgreSQL':
    /\bpbkdf2:sha\d+:\d+\$|\bscrypt:\d+:\d+:\d+\$|\bSCRAM-SHA-\d+\$\d/,
  'a hash of a password in the form of ForgeRock': /salted-hash\W+value\W+algorithm/,
  'a hash of a password in the form of Django': /\b(md5|sha\d+)\$[^$\s]{0,100}\$[\da-f]{32}/,
  'a hash of a password in the form of the Ruby gem scrypt':
    /(?<![\w$])[\da-f]{1,6}\$[\da-f]{1,3}\$[\da-f]{1,3}\$[\da-f]{16,}\$/,
  'a hash of a password in the form of MediaWiki':
    /:(A|B):([^:\s]{0,100}:)?[\da-f]{32}\b|:(pbkdf2:sha\d+|bcrypt|argon2):[\d$]/,
  'a hash of a password of crypto.scrypt of Node.js':
    /(?<![\da-f])[\da-f]{16,64}[:.][\da-f]{64,128}\b|\b[\da-f]{64,128}[:.][\da-f]{16}/,
  'a hash of a password in the form of Clerk':
    /\bsha512_symfony\$\d|(?<![\w+/-])[\w+/-]{40,}=*\$[\w+/-]+=*\$\d{1,4}\$\d{1,2}\b|\w\$[\da-f]{32,64}\b|\b[\da-f]{64}\$\w/,
  'a hash of a password in the form of Magento': /:3_32_\d{1,2}_\d{4,12}\b/,
  // The first byte is the version, 0 or 1. Version 2 has 49 bytes. Version 3 names its digest and its rounds.
  'a hash of a password in the form of ASP.NET Identity':
    /(?<![\w+/])(A[A-P][\w+/]{64}==|AQAAAA[A-P][\w+/]{50})/,
  'a hash of a password in the form of Keycloak':
    /secretData\W+(value|salt)\W+[\w+/]{10}|hashedSaltedValue\W+[\w+/]{10}/,
  'credentials of a request': /\b(Basic|Bearer) [\w.~+/=-]{20}/i,
  'the link of a mail': /[?&]token=[\w-]{20}/,
};

/**
 * Client secrets, codes, cookies and access tokens: at least 32 random bytes in base64url. Names of keys have the same
 * form.
 */
const randomText = /(?<![\w-])(?<!keys\/)[\w-]{43,}/g;

/** The minimum of each kind of character in such a text. Identifiers and encoded addresses have fewer. */
const fewest: readonly (readonly [RegExp, number])[] = [
  [/[A-Z]/g, 5],
  [/[a-z]/g, 5],
  [/\d/g, 1],
];

/** The kinds of secrets in a text. */
export function secretsIn(text: string): string[] {
  const found = Object.keys(formats).filter((name) => formats[name]?.test(text));
  const isRandom = (word: string) =>
    fewest.every(([kind, count]) => (word.match(kind) ?? []).length >= count);
  if ((text.match(randomText) ?? []).some(isRandom)) found.push('random bytes');
  return found;
}

/** The lines of a log that hold secrets, with the kinds of secrets. */
export function linesWithSecrets(log: string): string[] {
  if (secretsIn(log).length === 0) return [];
  return log.split('\n').flatMap((line) => {
    const found = secretsIn(line);
    return found.length === 0 ? [] : [`${found.join(', ')}: ${line.slice(0, 500)}`];
  });
}

/** Takes the lines of a log and searches each. `leaks` are the lines that hold secrets. */
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
