/** A command of ioredis, as far as the store uses it. */
export interface Command {
  args: string[];
  setTimeout(milliseconds: number): void;
}

/** Encoding of the texts in a reply: null for bytes. */
type ReplyEncoding = 'utf8' | null;

/** The class that ioredis exports as `Command`. */
export type CommandClass = new (name: string, args: [], options: { replyEncoding: ReplyEncoding }) => Command;

/** An EVALSHA command. */
export type ScriptCommandClass = new (args: readonly (string | number)[], replyEncoding: ReplyEncoding) => Command;

/**
 * A command class for `client.sendCommand`. `client.evalsha` of ioredis copies its arguments three times, and sets a timer
 * for each command: docs/benchmarks/tricks.md.
 */
export function scriptCommandClass(Command: CommandClass): ScriptCommandClass {
  return class ScriptCommand extends Command {
    constructor(args: readonly (string | number)[], replyEncoding: ReplyEncoding) {
      super('evalsha', [], { replyEncoding });
      this.args = args.map(String);
    }

    /** The store has one timer for the deadline of all calls. */
    override setTimeout(): void {}
  };
}
