/** Receives the end of a body. */
export interface BodyWatcher {
  /** The body has been read to its end. */
  finish(): void;
  /** It failed, or its reader has gone. */
  close(): void;
}

/** A body with the same content, which tells its end. It reads nothing ahead. */
export function watchedBody(body: ReadableStream<Uint8Array>, watcher: BodyWatcher): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
          return watcher.finish();
        } catch (error) {
          watcher.close();
          return controller.error(error);
        }
      },
      cancel(reason) {
        watcher.close();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
