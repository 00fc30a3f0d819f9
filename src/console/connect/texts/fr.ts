import type { ConnectTexts } from './en.js';

/** French. */
export const fr: ConnectTexts = {
  connect: 'Connecter',
  framework: 'Framework',
  test: 'Tester la connexion',
  settings: 'Paramètres',
  addresses: 'Où le programme s’exécute',
  allowed: 'L’application autorise cet URI de redirection.',
  notAllowed: 'Le programme utilise ces adresses. L’application ne les autorise pas encore.',
  allow: 'Les autoriser',
  saveAs: 'Enregistrez ceci sous {file}',
  addTo: 'Ajoutez ceci à la fin de {file}',
  run: 'Exécutez ceci',
  secretHint:
    'Mettez le secret du client à cet endroit. Si personne ne l’a plus, ajoutez-en un autre à l’application.',
  otherProof:
    'Ce programme s’authentifie par {code}, mais l’application par {application}. Modifiez l’un des deux, sinon le programme est refusé.',
  afterwards: 'Ensuite',
  open: 'Ouvrez {address} et connectez-vous.',
  openPrinted: 'Ouvrez l’adresse que le programme affiche, et connectez-vous.',
  callIt: 'La page de l’API contient des requêtes pour l’appeler.',
  programPrints:
    'Il affiche ce que ce service sait du programme. Le guide montre comment il appelle une API.',
  guide: 'Le guide explique chaque étape (en anglais)',
  mobile: 'Guide pour Android et iOS (en anglais)',
  allGuides: 'Tous les guides (en anglais)',
  another: 'Autre chose ?',
  noProject: 'L’API n’appartient à aucun projet, donc aucun jeton ne peut lui être destiné.',
  toApi: 'Vers l’API',
  program: 'Programme sans personne',
  aboutProgram: 'Appelle des API en son propre nom, la nuit par exemple. Personne ne se connecte.',
  addProgram: 'Ajouter un programme',
  programNameHint: 'Les administrateurs le voient dans le journal.',
  programAdded: 'Le programme a été ajouté.',
};
