import { generateKeyPairSync } from 'node:crypto';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

/** The JSON file of a service account. */
export const serviceAccountFile: Readonly<Record<string, unknown>> = {
  type: 'service_account',
  project_id: 'a-project',
  private_key_id: 'abc',
  private_key: pem,
  client_email: 'mover@a-project.iam.gserviceaccount.com',
  client_id: '1',
  token_uri: 'https://oauth2.googleapis.com/token',
};

/** In the encoding that clients send. */
export function encodeServiceAccount(changes: Record<string, unknown> = {}): string {
  return Buffer.from(JSON.stringify({ ...serviceAccountFile, ...changes })).toString('base64');
}
