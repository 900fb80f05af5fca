/** What a gate does with a response. Node's own is one, so is Express'. */
export interface GateResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** The client has gone. */
  readonly destroyed?: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string): unknown;
  end(): unknown;
  once(event: 'close' | 'finish', listener: () => void): unknown;
  off(event: 'close' | 'finish', listener: () => void): unknown;
}
