import type { Prompt } from '#src/authorization/authorization-request.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';
import { RedirectedError } from '../request/errors.js';

const prompts: ReadonlySet<string> = new Set<Prompt>([
  'none',
  'login',
  'consent',
  'select_account',
  'create',
]);

/** The prompts of the request (OpenID Connect Core section 3.1.2.1, Initiating User Registration section 4). */
export function checkPrompt(parameters: AuthorizeParameters): Prompt[] {
  const words = new Set((parameters.get('prompt') ?? '').split(' ').filter((word) => word !== ''));
  if (words.has('none') && words.size > 1) {
    throw new RedirectedError('invalid_request', 'The prompt none must stand alone');
  }
  for (const word of words) {
    if (!prompts.has(word)) throw new RedirectedError('invalid_request', 'The prompt is not known');
  }
  return [...words] as Prompt[];
}
