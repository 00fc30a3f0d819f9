import { refusalOf } from '../http/refused.js';
import type { ConsolePage, GoTo } from '../http/respond.js';
import { withSmallFile } from '../http/small-file.js';
import type { Upload } from '../http/uploads.js';
import { type ConsoleVisit, param } from '../http/visit.js';
import { refusalOfPage } from '../refusals/refusal.js';
import { apiOf, pathOf } from '../resources/organization-of.js';
import { settingsPage } from './settings-page.js';
import { settingsTexts } from './texts/texts.js';

/** The most bytes of a picture, as the API takes them. */
const mostBytes = 1_048_576;

/** Makes the file of the form the logo of the organization. @throws AppError `console.uploadMalformed`, `console.tooManyPages` */
export function uploadLogo(visit: ConsoleVisit, { file }: Upload): Promise<ConsolePage | GoTo> {
  return withSmallFile({ orgId: param(visit, 'orgId'), file, mostBytes }, async (bytes) => {
    const refused = refusalOfPage('logo', settingsTexts[visit.language].logoRefused);
    if (bytes === undefined || bytes.length === 0) return settingsPage(visit, { logoProblem: refused });
    const picture = bytes.toString('base64');
    const problem = await refusalOf(() => visit.api.send('PUT', apiOf(visit, '/logo'), { picture }));
    if (problem?.id === 'directory.pictureInvalid' || problem?.status === 413)
      return settingsPage(visit, { logoProblem: refused });
    if (problem !== undefined) throw problem;
    return { goTo: `${pathOf(visit, '/settings')}?done=saved#branding` };
  });
}

/** Removes the logo, uploaded or not. */
export async function removeLogo(visit: ConsoleVisit): Promise<GoTo> {
  await visit.api.send('DELETE', apiOf(visit, '/logo'));
  return { goTo: `${pathOf(visit, '/settings')}?done=saved#branding` };
}
