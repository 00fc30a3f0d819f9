import type { StartTexts } from './shape.js';

/** German. */
export const de: StartTexts = {
  welcome: (name) => `Hallo, ${name}`,
  aboutInstance: 'Was in diesem Dienst geschieht.',
  aboutOrganization: 'Was in Ihrer Organisation geschieht.',
  attention: 'Braucht Aufmerksamkeit',
  nothing: 'Nichts braucht Ihre Aufmerksamkeit.',
  running: 'Laufend',
  nothingRuns: 'Nichts läuft.',
  happened: 'Was geschah',
  noRole:
    'Sie haben hier keine Rolle, also gibt es nichts zu verwalten. Ihr eigenes Konto hat eine eigene Seite.',
  yourUsers: 'Sie dürfen Benutzer sehen oder verwalten von:',
  kinds: {
    locked: 'Gesperrt',
    failedJob: 'Fehlgeschlagener Auftrag',
    expiring: 'Ein Geheimnis oder Token läuft ab',
    expired: 'Ein Geheimnis oder Token ist abgelaufen',
    oldKey: 'Alter Signaturschlüssel',
  },
};
