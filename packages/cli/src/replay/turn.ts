/** Rows between two turns: some milliseconds. */
export const ROWS_A_TURN = 2 ** 16;

/** Lets the event loop turn, so that SIGINT comes through. @throws the reason of the signal */
export async function turn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  signal.throwIfAborted();
}
