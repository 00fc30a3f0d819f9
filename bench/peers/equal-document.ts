import { randomUUID } from 'node:crypto';

/** The body that the load generator sends, in the form of people.ts. */
export interface PersonBody {
  userName: string;
  externalId: string;
  name: { givenName: string; familyName: string };
  emails: [{ value: string; type: string; primary: boolean }];
  title: string;
  active: boolean;
}

/**
 * A document of the same shape and size as the product's, made without any checks. A unit test compares the two,
 * so that a change of the product's document is noticed.
 */
export function equalDocument(orgId: string, body: PersonBody) {
  const { userName, externalId, name, emails, title, active } = body;
  const _id: string = randomUUID();
  const now = new Date();
  const [email] = emails;
  const displayName = `${name.givenName} ${name.familyName}`;
  const low = {
    userName: userName.toLowerCase(),
    familyName: name.familyName.toLowerCase(),
    givenName: name.givenName.toLowerCase(),
    displayName: displayName.toLowerCase(),
    email: email.value.toLowerCase(),
    title: title.toLowerCase(),
  };
  return {
    _id,
    externalId,
    title,
    userName,
    active,
    name,
    displayName,
    preferredLanguage: 'en',
    emails,
    orgId,
    version: 1,
    created: now,
    lastModified: now,
    schemaVersion: 1,
    search: {
      version: 2,
      primaryEmail: low.email,
      loginNames: [low.userName, low.email],
      userName: low.userName,
      familyName: low.familyName,
      givenName: low.givenName,
      displayName: low.displayName,
      preferredLanguage: 'en',
      title: low.title,
      emails: [low.email],
      attributes: [`userName.end\u001f${backwards(low.userName)}`, `emails.end\u001f${backwards(low.email)}`],
    },
  };
}

function backwards(text: string): string {
  return [...text].reverse().join('');
}
