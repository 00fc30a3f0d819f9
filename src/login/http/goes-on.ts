/**
 * Thrown if a sign-in goes on at another address than the one that the browser asked for. `answerWithPages` leads the browser there,
 * and nothing that the request says is done.
 */
export class GoesOn extends Error {
  readonly address: string;

  constructor(address: string) {
    super('The sign-in goes on at another address');
    this.name = 'GoesOn';
    this.address = address;
  }
}
