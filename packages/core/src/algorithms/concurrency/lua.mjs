/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: {
    cc: ['permits'],
    cw: ['permits', 'parties', 'wishing-permits', 'shares', 'waiting'],
  },
  rare: ['cw'],
  scripts: { renew: ['prelude', 'clock', 'algorithms', 'permits', 'renew'] },
  emitters: { cc: ['permits-emitter', 'emitPermits'], cw: ['permits-emitter', 'emitWaitingPermits'] },
};
