/** @typedef {{ status?: number, response?: { status?: number, statusCode?: number } }} ClientError */

/** The URL of the limited server. */
export const url = process.argv[2] ?? '';

/**
 * The status of the error that a client throws, in the form of its library.
 *
 * @param {PromiseLike<unknown>} request
 * @returns {Promise<number | undefined>}
 */
export async function statusOf(request) {
  try {
    await request;
  } catch (error) {
    const { status, response } = /** @type {ClientError} */ (error);
    return status ?? response?.status ?? response?.statusCode;
  }
  return undefined;
}

/**
 * Prints what a client has seen, for the test.
 *
 * @param {import('./client-run.ts').Report} seen
 */
export function report(seen) {
  console.log(JSON.stringify(seen));
}
