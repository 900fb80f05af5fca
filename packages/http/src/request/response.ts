/** The members of a response that a gate uses. The responses of Node and of Express have them. */
export interface GateResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly writableEnded: boolean;
  /** True when the client has disconnected. */
  readonly destroyed?: boolean;
  getHeader(name: string): number | string | readonly string[] | undefined;
  setHeader(name: string, value: string): unknown;
  end(): unknown;
  once(event: 'close' | 'finish', listener: () => void): unknown;
}
