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
  firstSteps: {
    title: 'Erste Schritte',
    about: 'Diese Liste verschwindet, wenn alles erledigt ist.',
    done: 'erledigt',
    people: {
      label: 'Personen hinzufügen',
      hint: 'Von Hand, aus einer Datei oder aus einem System, das Sie unter Provisionierung verbinden.',
    },
    application: {
      label: 'Eine Anwendung hinzufügen',
      hint: 'Personen melden sich bei ihr an. Die Anmeldung können Sie sofort testen.',
    },
    owner: {
      label: 'Einer zweiten Person die Rolle eines Eigentümers geben',
      hint: 'So bleibt niemand ausgesperrt, wenn Sie Ihr Passwort oder Ihr Telefon verlieren.',
    },
    secondFactor: {
      label: 'Ihren zweiten Faktor einrichten',
      hint: 'Ein Code Ihres Telefons schützt das mächtigste Konto.',
    },
  },
  kinds: {
    locked: 'Gesperrt',
    failedJob: 'Fehlgeschlagener Auftrag',
    expiring: 'Ein Geheimnis oder Token läuft ab',
    expired: 'Ein Geheimnis oder Token ist abgelaufen',
    oldKey: 'Alter Signaturschlüssel',
  },
};
