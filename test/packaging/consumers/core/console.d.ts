/** All that the consumers need of Node, so that they have no package but the ones under test. */
declare const console: { log(text: string): void };
