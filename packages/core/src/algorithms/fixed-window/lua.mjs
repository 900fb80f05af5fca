/** @type {import('../../scripts/manifest.mjs').FolderLua} */
export const lua = {
  twins: { fw: ['fixed-window.packing', 'fixed-window'] },
  emitters: { fw: ['fixed-window-emitter', 'emitFixedWindow'] },
};
