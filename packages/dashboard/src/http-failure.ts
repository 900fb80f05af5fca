/** An answer that is no success. The message says what to change, and repeats nothing of the request. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
