import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { readShownProgram, type ShownStep } from './shown-program.js';

/**
 * Adds an application by the form of the console.
 * @param given the address of the form, with its type and framework, and what a developer types
 * @returns the program of the page that follows, with the identifier and the secret
 */
export async function connectApplication(
  t: Test,
  page: Page,
  { form, name, redirectUri }: { form: string; name: string; redirectUri: string },
): Promise<readonly ShownStep[]> {
  await page.goto(form);
  await page.getByLabel('Name', { exact: true }).fill(name);
  const uris = page.getByLabel('Redirect URIs');
  t.not(await uris.inputValue(), '', 'the form has the usual address');
  await uris.fill(redirectUri);
  const ends = page.getByLabel('Addresses after sign-out');
  if ((await ends.inputValue()) !== '') await ends.fill(`${new URL(redirectUri).origin}/`);
  await page.getByRole('button', { name: 'Add an application' }).click();
  await page.getByText('The application was added').waitFor();
  return readShownProgram(page);
}

/** Opens the application in a browser that has signed in to Muster, and signs in there. It shows the name and the address. */
export async function signInAtApplication(visitor: Page, address: string): Promise<void> {
  await visitor.goto(address);
  await visitor.getByText('Sign in', { exact: true }).click();
  await visitor.getByText(/Hello, .+ \(.+@.+\)/).waitFor();
}
