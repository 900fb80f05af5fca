/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { mw: ['slots.ranges', 'slots.packing', 'ring.packing', 'slots', 'multi-window'] },
  emitters: { mw: ['multi-window-emitter', 'emitMultiWindow'] },
};
