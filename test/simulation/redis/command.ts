import type { Keyspace } from './keyspace.js';
import type { Reply } from './reply.js';

/** A command that scripts of the product call. */
export interface Command {
  readonly run: (keyspace: Keyspace, args: readonly string[]) => Reply;
  /** It changes data: a replica refuses it. `grows`: a full server refuses it too. */
  readonly writes?: 'grows' | 'shrinks';
}
