import type { PeopleFormat } from '../mapping/people-format.js';
import { cognito } from './cognito.js';
import { csv } from './csv.js';
import { entra } from './entra.js';
import { firebase } from './firebase.js';
import { fusionauth } from './fusionauth.js';
import { anyJson } from './json.js';
import { kratos } from './kratos.js';
import { ldif } from './ldif.js';
import { okta } from './okta.js';

/** The systems whose exports have one object for each person, by their names in `muster convert`. */
export const peopleFormats: Readonly<Record<string, PeopleFormat>> = {
  cognito,
  csv,
  entra,
  firebase,
  fusionauth,
  json: anyJson,
  kratos,
  ldif,
  okta,
};
