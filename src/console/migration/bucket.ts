import { type Html, html } from '#src/http/pages/html.js';
import { field } from '../http/form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { migrationTexts } from './texts/texts.js';

/** The fields of an object in a bucket. The key of the service account is never shown again. */
export function bucketFields(visit: ConsoleVisit): Html {
  const own = migrationTexts[visit.language];
  return html`${field({ name: 'bucket', label: own.bucket, value: fieldText(visit, 'bucket'), isExact: true, maxLength: 300 })}
${field({ name: 'path', label: own.path, value: fieldText(visit, 'path'), isExact: true, maxLength: 1_100 })}
${field({ name: 'serviceAccount', label: own.serviceAccount, hint: own.serviceAccountHint, rows: 4, isExact: true, maxLength: 20_000 })}`;
}

/** The object as the API takes it: the key in base64. */
export function bucketOf(visit: ConsoleVisit): { bucket: string; path: string; serviceaccountJson: string } {
  const key = fieldText(visit, 'serviceAccount');
  return {
    bucket: fieldText(visit, 'bucket'),
    path: fieldText(visit, 'path'),
    serviceaccountJson: key.startsWith('{') ? Buffer.from(key).toString('base64') : key,
  };
}
