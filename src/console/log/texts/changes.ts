import type { Language } from '#src/http/base/language.js';

/** The names of what no form asks for, and events tell of. */
export interface ChangeTexts {
  readonly ignorePasswordOnCreate: string;
  readonly userLists: {
    readonly addresses: string;
    readonly ims: string;
    readonly photos: string;
    readonly roles: string;
    readonly entitlements: string;
  };
}

/** The texts of changes. A missing one is a type error. */
export const changeTexts: Readonly<Record<Language, ChangeTexts>> = {
  en: {
    ignorePasswordOnCreate: 'Drop the password of a new user',
    userLists: {
      addresses: 'Postal addresses',
      ims: 'Instant messaging',
      photos: 'Pictures',
      roles: 'Roles from the provisioning client',
      entitlements: 'Entitlements',
    },
  },
  de: {
    ignorePasswordOnCreate: 'Das Passwort eines neuen Benutzers verwerfen',
    userLists: {
      addresses: 'Postanschriften',
      ims: 'Kurznachrichten',
      photos: 'Bilder',
      roles: 'Rollen vom Provisionierungsprogramm',
      entitlements: 'Berechtigungen',
    },
  },
  fr: {
    ignorePasswordOnCreate: 'Ignorer le mot de passe d’un nouvel utilisateur',
    userLists: {
      addresses: 'Adresses postales',
      ims: 'Messagerie instantanée',
      photos: 'Images',
      roles: 'Rôles donnés par le client de provisionnement',
      entitlements: 'Droits',
    },
  },
  es: {
    ignorePasswordOnCreate: 'Descartar la contraseña de un usuario nuevo',
    userLists: {
      addresses: 'Direcciones postales',
      ims: 'Mensajería instantánea',
      photos: 'Imágenes',
      roles: 'Roles del cliente de aprovisionamiento',
      entitlements: 'Derechos',
    },
  },
  it: {
    ignorePasswordOnCreate: 'Ignorare la password di un nuovo utente',
    userLists: {
      addresses: 'Indirizzi postali',
      ims: 'Messaggistica istantanea',
      photos: 'Immagini',
      roles: 'Ruoli dal client di provisioning',
      entitlements: 'Diritti',
    },
  },
};
