/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { mw: ['slots.ranges', 'slots.packing', 'ring.packing', 'slots', 'multi-window'] },
  units: {
    mw: {
      fast: ['fast-path', 'ring.packing', 'multi-window.ring-policy', 'ring.fast-units'],
      general: ['slots.ranges', 'slots.packing', 'slots', 'multi-window'],
    },
  },
};
