import { type Html, html } from '#src/http/pages/html.js';
import { checkbox, field } from '../http/form.js';
import type { ControlNames } from '../http/refused-form.js';
import { type ConsoleVisit, fieldText } from '../http/visit.js';
import { migrationTexts } from './texts/texts.js';

/** The providers of storage, by what the properties of the API end with. */
const storages = ['Gcs', 'S3', 'Azure'] as const;
type Storage = (typeof storages)[number];

/** An object in a bucket as the API takes it. It has secrets. */
interface BucketObject {
  /** What the name of the property that takes it ends with. */
  readonly storage: Storage;
  readonly object: Readonly<Record<string, string>>;
}

/**
 * The fields of an object in a bucket. The style sheet shows those of the chosen storage alone. Credentials have no value in a page: they are
 * never shown again.
 */
export function bucketFields(visit: ConsoleVisit): Html {
  const texts = migrationTexts[visit.language];
  const chosen = storageOf(visit);
  const exact = (name: string, more: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({ name, isExact: true, value: fieldText(visit, name), ...more });
  const secret = (name: string, more: Omit<Parameters<typeof field>[0], 'name'>) =>
    field({ name, isExact: true, isMasked: true, ...more });
  const choices: [Storage, string][] = [
    ['Gcs', 'Google Cloud Storage'],
    ['S3', texts.storageS3],
    ['Azure', 'Azure Blob Storage'],
  ];
  return html`<div class="storages"><fieldset><legend>${texts.storage}</legend>
${choices.map(([value, label]) => checkbox({ name: 'storage', type: 'radio', value, label, isChecked: value === chosen }))}</fieldset>
${exact('bucket', { label: texts.bucket, maxLength: 300 })}
${exact('path', { label: texts.path, maxLength: 1_100 })}
<div class="of-gcs">${field({ name: 'serviceAccount', label: texts.serviceAccount, hint: texts.serviceAccountHint, rows: 4, isExact: true, maxLength: 20_000 })}</div>
<div class="of-s3">${exact('region', { label: texts.region, hint: texts.regionHint, maxLength: 100 })}
${exact('s3Endpoint', { label: texts.endpoint, hint: texts.endpointHint, maxLength: 400 })}
${secret('accessKeyId', { label: texts.accessKeyId, maxLength: 128 })}
${secret('secretAccessKey', { label: texts.secretAccessKey, hint: texts.secretHint, maxLength: 256 })}
${secret('sessionToken', { label: texts.sessionToken, hint: texts.sessionTokenHint, maxLength: 8_192 })}</div>
<div class="of-azure">${exact('account', { label: texts.account, maxLength: 100 })}
${exact('azureEndpoint', { label: texts.endpoint, hint: texts.azureEndpointHint, maxLength: 400 })}
${secret('azureKey', { label: texts.azureKey, hint: html`${texts.azureKeyHint} ${texts.secretHint}`, maxLength: 8_192 })}</div></div>`;
}

/** Reads the fields. The API checks them. */
export function bucketOf(visit: ConsoleVisit): BucketObject {
  const storage = storageOf(visit);
  const [bucket, path] = [fieldText(visit, 'bucket'), fieldText(visit, 'path')];
  if (storage === 'S3') {
    const keys = {
      accessKeyId: fieldText(visit, 'accessKeyId'),
      secretAccessKey: fieldText(visit, 'secretAccessKey'),
    };
    const others = given(visit, { region: 'region', endpoint: 's3Endpoint', sessionToken: 'sessionToken' });
    return { storage, object: { bucket, path, ...keys, ...others } };
  }
  if (storage === 'Azure') {
    const others = given(visit, { account: 'account', endpoint: 'azureEndpoint' });
    return {
      storage,
      object: { container: bucket, path, ...others, ...azureKeyOf(fieldText(visit, 'azureKey')) },
    };
  }
  const key = fieldText(visit, 'serviceAccount');
  const serviceaccountJson = key.startsWith('{') ? Buffer.from(key).toString('base64') : key;
  return { storage, object: { bucket, path, serviceaccountJson } };
}

/** The fields of the chosen storage by the names of the API, and by the errors that are about them. */
export function bucketNames(visit: ConsoleVisit): ControlNames {
  const ofStorage: Readonly<Record<Storage, Readonly<Record<string, string>>>> = {
    Gcs: { serviceaccountJson: 'serviceAccount', credentials: 'serviceAccount' },
    S3: { endpoint: 's3Endpoint', credentials: 'secretAccessKey' },
    Azure: {
      ...{ endpoint: 'azureEndpoint', container: 'bucket', credentials: 'azureKey' },
      ...{ accountKey: 'azureKey', sasToken: 'azureKey', connectionString: 'azureKey' },
    },
  };
  const { credentials = '', ...names } = ofStorage[storageOf(visit)];
  const { endpoint = 'bucket' } = names;
  return {
    ...names,
    'bucket.bucketMissing': 'bucket',
    'bucket.objectMissing': 'path',
    'bucket.permissionMissing': 'path',
    'bucket.serviceAccountInvalid': credentials,
    'bucket.credentialsInvalid': credentials,
    'bucket.credentialsRefused': credentials,
    'bucket.hostNotAllowed': endpoint,
    'bucket.hostUnknown': endpoint,
    'bucket.redirected': endpoint,
  };
}

function storageOf(visit: ConsoleVisit): Storage {
  return storages.find((one) => one === fieldText(visit, 'storage')) ?? 'Gcs';
}

/** The fields that have a value, by the names of the API. */
function given(visit: ConsoleVisit, names: Readonly<Record<string, string>>): Record<string, string> {
  const values = Object.entries(names).map(
    ([name, fieldName]) => [name, fieldText(visit, fieldName)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== ''));
}

/** Which of the three kinds of credentials of Azure a text is. */
function azureKeyOf(text: string): Record<string, string> {
  if (/(?:^|;)(?:AccountName|BlobEndpoint|SharedAccessSignature)=/i.test(text))
    return { connectionString: text };
  return /(?:^|[?&])sig=/.test(text) ? { sasToken: text } : { accountKey: text };
}
