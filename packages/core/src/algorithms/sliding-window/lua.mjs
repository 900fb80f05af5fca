/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: {
    sw: ['log.packing', 'slots.ranges', 'slots.packing', 'ring.packing', 'log', 'slots', 'sliding-window'],
  },
  needed: ['ring.counts'],
  emitters: {
    sw: ['slots-emitter', 'emitSlots'],
    log: ['log-emitter', 'emitLog'],
    ring: ['ring-emitter', 'emitWindowRing'],
  },
};
