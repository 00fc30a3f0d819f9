import { ApiProblem } from './api.js';

/** Runs a change. Returns what the API refused, so that the form comes back with what was typed. Other errors are thrown. */
export async function refusalOf(change: () => Promise<unknown>): Promise<ApiProblem | undefined> {
  try {
    await change();
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error;
    throw error;
  }
}

/** Whether the API refused a value. Missing rights, ended sessions and faults are no refusals. */
export function isRefusal(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && [400, 404, 409, 412, 413].includes(error.status);
}
