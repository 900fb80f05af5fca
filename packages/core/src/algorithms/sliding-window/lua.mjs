/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: {
    sw: ['log.packing', 'slots.ranges', 'slots.packing', 'ring.packing', 'log', 'slots', 'sliding-window'],
  },
  units: {
    ring: {
      fast: ['fast-path', 'ring.packing', 'sliding-window.ring-policy', 'ring.fast-units'],
      general: ['log.packing', 'slots.ranges', 'slots.packing', 'log', 'slots', 'sliding-window'],
    },
  },
  emitters: { sw: ['slots-emitter', 'emitSlots'], log: ['log-emitter', 'emitLog'] },
};
