import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { consoleErrors } from '../http/errors.js';
import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { refusalOfPage } from '../refusals/refusal.js';
import { apiOf, pathOf } from '../resources/organization-of.js';
import { settingsPage } from './settings-page.js';
import { settingsTexts } from './texts/texts.js';

/** The most bytes of a picture, as the API takes them. */
const mostBytes = 1_048_576;
/** The longest time in which a picture must arrive. */
const longestMs = 60_000;

const refuse = () => new AppError(consoleErrors.tooManyPages, { retryAfterSeconds: 5 });
/** Pictures are in memory while they arrive: two of one organization, and 40 of all. */
const ofOne = createKeyedSemaphore({ atOnce: 2, waiting: 10, longestWaitMs: 10_000, refuse });
const ofAll = createKeyedSemaphore({ atOnce: 40, waiting: 100, longestWaitMs: 10_000, refuse });

/** Makes the file of the form the logo of the organization. @throws AppError `console.uploadMalformed`, `console.tooManyPages` */
export function uploadLogo(visit: ConsoleVisit, { file }: Upload): Promise<ConsolePage | GoTo> {
  const run = async () => {
    const bytes = await bytesOf(file);
    const refused = refusalOfPage('logo', settingsTexts[visit.language].logoRefused);
    if (bytes === undefined) return settingsPage(visit, { logoProblem: refused });
    const picture = bytes.toString('base64');
    const problem = await refusalOf(() => visit.api.send('PUT', apiOf(visit, '/logo'), { picture }));
    if (problem?.id === 'directory.pictureInvalid' || problem?.status === 413)
      return settingsPage(visit, { logoProblem: refused });
    if (problem !== undefined) throw problem;
    return { goTo: `${pathOf(visit, '/settings')}?done=saved#branding` };
  };
  return ofOne.run(param(visit, 'orgId'), () => ofAll.run('', run));
}

/** Removes the logo, uploaded or not. */
export async function removeLogo(visit: ConsoleVisit): Promise<GoTo> {
  await visit.api.send('DELETE', apiOf(visit, '/logo'));
  return { goTo: `${pathOf(visit, '/settings')}?done=saved#branding` };
}

/** The bytes of the file. Undefined if it is empty, too large, or takes too long. */
async function bytesOf(file: Upload['file']): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  const latest = Date.now() + longestMs;
  for await (const chunk of file ?? []) {
    length += (chunk as Buffer).length;
    if (length > mostBytes || Date.now() > latest) return undefined;
    chunks.push(chunk as Buffer);
  }
  return length === 0 ? undefined : Buffer.concat(chunks);
}
