import type { ConversionReport } from './conversion-report.js';
import { eachElement } from './each-element.js';
import { type BodyOptions, openImportBody } from './import-body.js';
import { readKeycloakUser } from './keycloak-user.js';
import { createProblems } from './problems.js';
import { ConversionError } from './read-fields.js';

export interface KeycloakInput {
  /** A realm export, or one of its files of users. */
  readonly realm: string;
  /** Treats every e-mail address as verified, whatever the export says. */
  readonly emailVerified: boolean;
  /** Writes the output although some users cannot be converted. They are left out. */
  readonly skipInvalid: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Writes an import body from the users of a realm export. Users keep bcrypt hashes and authenticator apps. Users with
 * other password hashes set a password at their first login. Memory does not grow with the file.
 * @throws StartError when a file cannot be read or written, or is no JSON document; the reason of the signal when it aborts
 */
export async function convertKeycloak(input: KeycloakInput, output: BodyOptions): Promise<ConversionReport> {
  const { realm: path, skipInvalid, signal } = input;
  const problems = createProblems();
  const report = { users: 0, withPassword: 0, problems, written: false };
  const body = openImportBody(output, [path]);
  try {
    await eachElement({ path, member: 'users', problems, signal }, (text, line) => {
      const tell = (severity: 'error' | 'note', message: string) =>
        problems.add({ severity, file: path, line, message });
      try {
        const user = readKeycloakUser(text, input);
        if (user === undefined) return;
        for (const note of user.notes) tell('note', note);
        const { hashedPassword, password } = user.record.user;
        report.users++;
        if (hashedPassword !== undefined || password !== undefined) report.withPassword++;
        body.add(JSON.stringify(user.record));
      } catch (error) {
        if (!(error instanceof ConversionError)) throw error;
        tell('error', error.message);
      }
    });
    if (problems.count('error') > 0 && !skipInvalid) return report;
    body.publish();
    return { ...report, written: true };
  } finally {
    body.close();
  }
}
