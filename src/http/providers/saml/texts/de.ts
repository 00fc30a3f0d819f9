import type { SamlStepTexts } from './en.js';

/** German. */
export const de: SamlStepTexts = {
  open: 'Öffnen Sie in {page}: {open}.',
  openOther: 'Legen Sie beim Anbieter eine Anwendung für SAML 2.0 an.',
  enter: 'Tragen Sie die beiden Werte oben unter den Namen ein, die sie dort haben.',
  set: 'Unter {where}: {what}',
  address: 'Kopieren Sie die Adresse der Metadaten in dieses Formular: {name}',
  file: 'Speichern Sie die Metadaten als Datei und wählen Sie diese im Formular: {name}',
};
