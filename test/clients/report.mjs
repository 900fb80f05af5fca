/** @typedef {{ status?: number, response?: { status?: number, statusCode?: number } }} ClientError */

/** Where the limited server is. */
export const url = process.argv[2] ?? '';

/**
 * The status that a client has given up at, in the way of its library.
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
 * Tells the test what a client has seen.
 *
 * @param {import('./client-run.ts').Report} seen
 */
export function report(seen) {
  console.log(JSON.stringify(seen));
}
