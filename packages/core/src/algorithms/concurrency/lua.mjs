/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: {
    cc: ['concurrency'],
    cw: ['concurrency', 'parties', 'wishing-permits', 'shares', 'waiting'],
  },
  rare: ['cw'],
  scripts: { renew: ['prelude', 'clock', 'algorithms', 'concurrency', 'renew'] },
  emitters: { cc: ['permits-emitter', 'emitPermits'], cw: ['permits-emitter', 'emitWaitingPermits'] },
};
