/** @type {import('../../../core/src/scripts/manifest.mjs').FolderLua} */
export const lua = { twins: { fn: ['fixed-window.packing', 'fixed-window', 'noticed-window'] } };
