import { ValueScanner } from '#src/platform/json/value-scanner.js';
import type { InputText } from '../../text/input-text.js';

/**
 * What a file of Keycloak has: realms, or what the admin API answers. `GET /admin/realms/{realm}/users` and `.../groups` are arrays; a program
 * may have written them with one object on each line.
 */
type KeycloakForm = 'realms' | 'users' | 'groups';

/** The first object of a file is recognized by the keys that begin within so many bytes. */
const enough = 256 * 1024;
const mostKeys = 1_000;

/** @throws StartError when the file cannot be read */
export async function keycloakForm(input: InputText, signal?: AbortSignal): Promise<KeycloakForm> {
  const text = await input.beginning(enough, signal);
  const keys = keysOf(text, text.indexOf('{'));
  if (['realm', 'users', 'clients'].some((key) => keys.has(key))) return 'realms';
  // A realm and a user have groups too, so the name decides.
  if (keys.has('username')) return 'users';
  return keys.has('subGroups') || (keys.has('path') && keys.has('name')) ? 'groups' : 'realms';
}

/** The keys of an object that may be cut. */
function keysOf(text: Buffer, start: number): Set<string> {
  const keys = new Set<string>();
  const values = new ValueScanner();
  for (let at = start + 1; start >= 0 && at < text.length && keys.size < mostKeys; ) {
    const byte = text[at] ?? 0;
    const isValue = byte === 0x22 || byte === 0x7b || byte === 0x5b;
    if (!isValue) {
      if (byte === 0x7d) break;
      at += 1;
      continue;
    }
    values.begin(byte);
    const end = values.scan(text, at);
    if (end <= at) break;
    // A colon follows a key.
    if (byte === 0x22 && /^\s*:/.test(text.toString('latin1', end, end + 20))) {
      keys.add(text.toString('utf8', at + 1, end - 1));
    }
    at = end;
  }
  return keys;
}
