import { readFile } from 'node:fs/promises';
import { text as textOfStream } from 'node:stream/consumers';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import { StartError } from '#src/platform/start-error.js';
import { argumentSegment } from '../base/argument-segment.js';

/** The path of the policy of an organization. */
export function adminPolicyPath(orgId: string): string {
  return `/admin/v1/orgs/${argumentSegment(orgId)}/sign-in-policy`;
}

/** Reads a policy. The service says what is wrong with it. @param file `-` for standard input @throws StartError */
export async function readPolicyFile(file: string): Promise<JsonObject> {
  const place = file === '-' ? 'Standard input' : file;
  let content: string;
  try {
    content = file === '-' ? await textOfStream(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new StartError(`${place} cannot be read: ${(error as Error).message}`);
  }
  const policy = parsed(content);
  if (!isJsonObject(policy)) throw new StartError(`${place} has no JSON object.`);
  return policy;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}

/** A request with a policy as its body. */
export function policyRequest(method: 'POST' | 'PUT', policy: JsonObject) {
  return {
    method,
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify(policy),
  } as const;
}
