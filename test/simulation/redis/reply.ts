/** What a command replies. */
export type Reply = number | string | null | readonly Reply[] | ErrorReply | StatusReply;

export class ErrorReply {
  constructor(readonly text: string) {}
}

export class StatusReply {
  constructor(readonly text: string) {}
}

export const OK = new StatusReply('OK');
