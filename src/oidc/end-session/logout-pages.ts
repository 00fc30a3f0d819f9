import type { Language } from '#src/http/base/language.js';
import { initialOf } from '#src/http/pages/brand.js';
import { html } from '#src/http/pages/html.js';
import type { PageContent, PageLook } from '#src/http/pages/page-frame.js';
import type { Session } from '#src/sessions/session.js';
import type { LogoutParameters } from './logout-request.js';

interface Texts {
  readonly ask: string;
  readonly who: string;
  /** Title and text when nobody is signed in. The person can only go on. */
  readonly nobody: string;
  readonly nobodyText: string;
  readonly goOn: string;
  readonly yes: string;
  readonly no: string;
  readonly done: string;
  readonly doneText: string;
  /** When the sign-out goes on at the provider where the person signed in. */
  readonly leavingText: string;
  readonly stillSignedIn: string;
  readonly stillSignedInText: string;
}

const texts: Record<Language, Texts> = {
  en: {
    ask: 'Sign out?',
    who: 'You will be signed out of:',
    nobody: 'Not signed in',
    nobodyText: 'Nobody is signed in in this browser.',
    goOn: 'Continue',
    yes: 'Sign out',
    no: 'Stay signed in',
    done: 'Signed out',
    doneText: 'You are signed out. You can close this window.',
    leavingText: 'You are signed out here. The sign-out goes on at your provider.',
    stillSignedIn: 'Still signed in',
    stillSignedInText: 'Nothing has changed. You can close this window.',
  },
  de: {
    ask: 'Abmelden?',
    who: 'Sie werden abgemeldet von:',
    nobody: 'Nicht angemeldet',
    nobodyText: 'In diesem Browser ist niemand angemeldet.',
    goOn: 'Weiter',
    yes: 'Abmelden',
    no: 'Angemeldet bleiben',
    done: 'Abgemeldet',
    doneText: 'Sie sind abgemeldet. Sie können dieses Fenster schließen.',
    leavingText: 'Sie sind hier abgemeldet. Die Abmeldung geht bei Ihrem Anbieter weiter.',
    stillSignedIn: 'Weiterhin angemeldet',
    stillSignedInText: 'Es hat sich nichts geändert. Sie können dieses Fenster schließen.',
  },
  fr: {
    ask: 'Se déconnecter ?',
    who: 'Vous serez déconnecté de :',
    nobody: 'Non connecté',
    nobodyText: "Personne n'est connecté dans ce navigateur.",
    goOn: 'Continuer',
    yes: 'Se déconnecter',
    no: 'Rester connecté',
    done: 'Déconnecté',
    doneText: 'Vous êtes déconnecté. Vous pouvez fermer cette fenêtre.',
    leavingText: 'Vous êtes déconnecté ici. La déconnexion continue chez votre fournisseur.',
    stillSignedIn: 'Toujours connecté',
    stillSignedInText: "Rien n'a changé. Vous pouvez fermer cette fenêtre.",
  },
  es: {
    ask: '¿Cerrar la sesión?',
    who: 'Se cerrará la sesión de:',
    nobody: 'Sin sesión',
    nobodyText: 'Nadie ha iniciado sesión en este navegador.',
    goOn: 'Continuar',
    yes: 'Cerrar la sesión',
    no: 'Seguir conectado',
    done: 'Sesión cerrada',
    doneText: 'La sesión está cerrada. Puede cerrar esta ventana.',
    leavingText: 'La sesión está cerrada aquí. El cierre sigue en su proveedor.',
    stillSignedIn: 'Sesión todavía abierta',
    stillSignedInText: 'No ha cambiado nada. Puede cerrar esta ventana.',
  },
  it: {
    ask: 'Uscire?',
    who: 'Uscirà da:',
    nobody: 'Nessun accesso',
    nobodyText: 'Nessuno ha effettuato l’accesso in questo browser.',
    goOn: 'Continua',
    yes: 'Esci',
    no: 'Resta connesso',
    done: 'Uscita effettuata',
    doneText: 'È uscito. Può chiudere questa finestra.',
    leavingText: 'Qui è uscito. L’uscita prosegue presso il Suo fornitore.',
    stillSignedIn: 'Ancora connesso',
    stillSignedInText: 'Non è cambiato nulla. Può chiudere questa finestra.',
  },
};

/** Asks whether to sign out. The form carries the request, which is checked again when it is posted. */
export function askPage(
  { language }: PageLook,
  asked: { sessions: readonly Session[]; parameters: LogoutParameters; csrf: string; action: string },
): PageContent {
  const { sessions, parameters, csrf, action } = asked;
  const { ask, who, nobody, nobodyText, yes, no, goOn } = texts[language];
  const names = sessions.map(
    ({ displayName, userName }) =>
      html`<li class="person"><span class="avatar" aria-hidden="true">${initialOf(displayName)}</span><span>${displayName}<span class="soft">${userName}</span></span></li>`,
  );
  const fields = Object.entries({ ...parameters, csrf }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const isAnyone = names.length > 0;
  const content = html`${isAnyone && html`<ul class="rows">${names}</ul>`}
<form method="post" action="${action}">
${fields}
<p class="buttons"><button type="submit" name="answer" value="yes">${isAnyone ? yes : goOn}</button>
${isAnyone && html`<button type="submit" name="answer" value="no" class="quiet">${no}</button>`}</p>
</form>`;
  const [title, subtitle] = isAnyone ? [ask, who] : [nobody, nobodyText];
  return { title, subtitle, content };
}

/** Says that the person is signed out. */
export function donePage({ language }: PageLook): PageContent {
  const { done, doneText } = texts[language];
  return { title: done, subtitle: doneText, content: undefined };
}

/** What the page says that leads to the provider. */
export function leavingTexts({ language }: PageLook) {
  const { done: title, leavingText: text, goOn: go } = texts[language];
  return { title, text, go };
}

const leavingScript = "location.replace(document.querySelector('a[data-leave]').href)";

/** Leads to the provider at once. Without JavaScript, the person follows the link. */
export function leavingPage(look: PageLook, address: string): PageContent {
  const { title, text: subtitle, go } = leavingTexts(look);
  const content = html`<p class="buttons"><a class="button" data-leave href="${address}">${go}</a></p>`;
  return { title, subtitle, content, script: leavingScript };
}

/** Says that the person is still signed in. */
export function stillSignedInPage({ language }: PageLook): PageContent {
  const { stillSignedIn, stillSignedInText } = texts[language];
  return { title: stillSignedIn, subtitle: stillSignedInText, content: undefined };
}
